//! Section 3.4: how many multipliers scan bits?

use super::{WORK, bit_pairs};
use crate::frame::experiment::{Card, Effort, Experiment, Halt, Lab, go_on};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::Race;
use std::hint::black_box;
use tabiya_chess::rng::SplitMix64;

pub(super) struct BitScan;

/// The thesis's multiplier for 64 bits, which it has from Romstad.
const PRINTED: u64 = 0x0218_A392_CD3D_5DBF;

/// What is left of a product for an index of six bits.
const SHIFT: u32 = 58;

/// What is known of the multipliers of a width.
#[derive(Clone, Copy, Default, serde::Serialize, serde::Deserialize)]
struct Census {
    count: u64,
    /// Those with as many ones as zeros.
    even: u64,
    /// Those that begin with one zero less than the index has bits, or with more.
    leading: u64,
    /// The smallest.
    first: u64,
}

/// Goes through all multipliers of `width` bits that map every single bit to an index of its own.
///
/// The index of bit i is what `index_bits` bits of the multiplier say from place i on, with zeros after its
/// end: so a multiplier grows bit by bit from the left, and is given up as soon as a window repeats, or as
/// soon as some window can no longer be come to, since every one of them has to occur.
struct Walk<'a> {
    width: u32,
    index_bits: u32,
    /// Are only those looked at that begin with one zero less than the index has bits? No others serve:
    /// every window occurs once, so that the way through them is round, and it ends in zeros.
    from_zeros: bool,
    census: Census,
    stop: &'a dyn Fn() -> bool,
}

impl Walk<'_> {
    fn grow(&mut self, number: u64, length: u32, seen: u64) -> Result<(), Halt> {
        if length == self.width {
            // The windows that reach beyond the end.
            let mut seen = seen;
            for cut in 1..self.index_bits {
                let window = number << cut & ((1 << self.index_bits) - 1);
                if seen >> window & 1 == 1 {
                    return Ok(());
                }
                seen |= 1 << window;
            }
            self.found(number);
            return Ok(());
        }
        if length == self.width / 2 && (self.stop)() {
            return Err(Halt::Interrupted);
        }
        for bit in 0..2 {
            let longer = number << 1 | bit;
            let mut seen = seen;
            if length + 1 >= self.index_bits {
                let window = longer & ((1 << self.index_bits) - 1);
                if seen >> window & 1 == 1 {
                    continue;
                }
                seen |= 1 << window;
                if !self.can_finish(window, seen) {
                    continue;
                }
            } else if self.from_zeros && bit == 1 {
                continue;
            }
            self.grow(longer, length + 1, seen)?;
        }
        Ok(())
    }

    /// Can all windows that have not been seen still follow this one? A window is followed by those that
    /// begin with all of its bits but the first.
    fn can_finish(&self, window: u64, seen: u64) -> bool {
        let windows = u64::MAX >> (64 - self.width);
        let unseen = !seen & windows;
        let half = self.width / 2;
        let mut ends = 1u64 << (window & u64::from(half - 1));
        loop {
            let followers = twice(ends);
            let reached = unseen & followers;
            let more = ends | (reached | reached >> half) & (windows >> half);
            if more == ends {
                return unseen & !followers == 0;
            }
            ends = more;
        }
    }

    fn found(&mut self, number: u64) {
        let census = &mut self.census;
        if census.count == 0 {
            census.first = number;
        }
        census.count += 1;
        census.even += u64::from(number.count_ones() == self.width / 2);
        let leading = number.leading_zeros() + self.width - 64;
        census.leading += u64::from(leading >= self.index_bits - 1);
    }
}

/// Every one of the lower 32 bits twice, side by side.
fn twice(bits: u64) -> u64 {
    let mut spread = bits;
    for (by, mask) in [
        (16, 0x0000_FFFF_0000_FFFF),
        (8, 0x00FF_00FF_00FF_00FF),
        (4, 0x0F0F_0F0F_0F0F_0F0F),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        spread = (spread | spread << by) & mask;
    }
    spread * 3
}

fn census(width: u32, stop: &dyn Fn() -> bool) -> Result<Census, Halt> {
    let index_bits = width.trailing_zeros();
    let from_zeros = width == 64;
    let mut walk = Walk { width, index_bits, from_zeros, census: Census::default(), stop };
    walk.grow(0, 0, 0)?;
    Ok(walk.census)
}

/// Does a multiplier map every single bit to an index of its own? By trying all bits.
fn serves(width: u32, number: u64) -> bool {
    let index_bits = width.trailing_zeros();
    let mask = u64::MAX >> (64 - width);
    let mut seen = 0u64;
    (0..width).all(|bit| {
        let index = (number << bit & mask) >> (width - index_bits);
        let fresh = seen >> index & 1 == 0;
        seen |= 1 << index;
        fresh
    })
}

/// The place of every bit in the table of the thesis's multiplier.
fn places() -> [u8; 64] {
    let mut places = [0; 64];
    for bit in 0..64u8 {
        places[((PRINTED << bit) >> SHIFT) as usize] = bit;
    }
    places
}

/// Of some words, how often the table does not find the lowest or the highest one: a scan forwards and one
/// backwards isolate another bit, and then ask the same table.
fn ends_missed() -> usize {
    let places = places();
    let place = |one: u64| u32::from(places[(one.wrapping_mul(PRINTED) >> SHIFT) as usize]);
    let mut random = SplitMix64::stream(1, 1);
    let words = (0..64).map(|bit| 1u64 << bit).chain((0..4096).map(|_| random.next() | 1 << 17));
    let misses = words.map(|word| {
        let lowest = word & word.wrapping_neg();
        let highest = 1 << (63 - word.leading_zeros());
        usize::from(place(lowest) != word.trailing_zeros())
            + usize::from(place(highest) != 63 - word.leading_zeros())
    });
    misses.sum()
}

impl Experiment for BitScan {
    fn card(&self) -> Card {
        Card {
            id: "bit-scan",
            work: WORK,
            title: "Multipliers that scan bits",
            question: "Multiplied by the right number, a single bit shows its place in the product's highest \
                       bits. How many such numbers are there for words of 8, 16, 32 and 64 bits? The \
                       thesis counts up to 32 bits by brute force and finds 64 out of reach.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let widths: &[u32] = lab.effort.pick(&[8, 16, 32], &[8, 16, 32, 64]);
        let columns = [
            ("word, bits", Origin::Label),
            ("multipliers", Origin::Printed),
            ("multipliers", Origin::Counted),
            ("half of them ones", Origin::Counted),
            ("enough leading zeros", Origin::Counted),
            ("smallest", Origin::Counted),
        ];
        let mut table = Table::new("census", "Multipliers for scanning bits", &columns);
        let mut counts = Vec::new();
        for &width in widths {
            let found: Census = lab.step(&format!("{width} bits"), |stop| census(width, stop))?;
            let printed = lab.printed("3.4").cell(&width.to_string(), "multipliers");
            table.row(vec![
                width.to_string().into(),
                printed,
                found.count.into(),
                found.even.into(),
                found.leading.into(),
                Cell::from(format!("{:#x}", found.first)),
            ]);
            if width < 64 {
                counts.push(found);
            } else {
                findings.number("64 bits", found.count as f64);
            }
        }
        if !widths.contains(&64) {
            findings.lacks("64 bits", "counted in the full run only");
        }
        table.note = "Multipliers are grown bit by bit and given up as soon as a window of bits repeats or \
                      some window can no longer be reached, so that even those of 64 bits can be counted; \
                      for 8 and 16 bits all numbers were tried as well."
            .to_owned();
        findings.tables.push(table);
        findings.numbers("census", counts.iter().map(|census| census.count as f64));
        let all_even = counts.iter().all(|census| census.even == census.count);
        findings.truth("half are ones", all_even);
        let all_lead = counts.iter().all(|census| census.leading == census.count);
        findings.truth("zeros lead", all_lead);
        let by_trial: Vec<u64> = lab.step("trial of all numbers", |stop| {
            go_on(stop)?;
            Ok((0..1 << 16).filter(|&number| serves(16, number)).collect())
        })?;
        let eight: Vec<u64> = (0..256).filter(|&number| serves(8, number)).collect();
        findings.numbers("by trial", [eight.len() as f64, by_trial.len() as f64]);
        findings.numbers("of 8 bits", eight.iter().map(|&number| number as f64));
        let order = (0..8).map(|bit| f64::from((23u8 << bit) >> 5));
        findings.numbers("indices of 23", order);
        findings.truth("printed multiplier serves", serves(64, PRINTED));
        findings.number("ones of the printed multiplier", f64::from(PRINTED.count_ones()));
        findings.number("ends that one table misses", ends_missed() as f64);
        findings.plots.push(Plot::bars(
            "growth",
            "Multipliers for scanning bits, as powers of two",
            "Two to the power of what the bar shows: 2, 5 and 12 are the thesis's.",
            widths.iter().map(|width| format!("{width} bits")).collect(),
            vec![Series::counted(
                "",
                counts
                    .iter()
                    .map(|census| Some((census.count as f64).log2()))
                    .chain(findings.figures.get("64 bits").map(|f| Some(f.values[0].log2())))
                    .collect(),
            )],
            None,
        ));
        pairs(lab, &mut findings)?;
        race(lab, &mut findings)?;
        Ok(findings)
    }
}

/// How many index bits it takes to tell words with one or two ones apart.
fn pairs(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    let widths: &[u32] = lab.effort.pick(&[12, 15], &[12, 13, 14, 15]);
    let columns = [
        ("index bits", Origin::Label),
        ("entries", Origin::Counted),
        ("multiplier", Origin::Counted),
        ("beginnings looked at", Origin::Counted),
    ];
    let title = "Multipliers that tell words with one or two ones apart";
    let mut table = Table::new("pairs", title, &columns);
    let mut enough = Vec::new();
    for &bits in widths {
        let step = format!("two ones, {bits} bits");
        let found: bit_pairs::Found = lab.step(&step, |stop| bit_pairs::search(bits, stop))?;
        let serves = found.magic.is_some();
        if serves {
            enough.push(bits);
        }
        findings.truth(&format!("two ones in {bits} bits"), serves);
        let shown = found.magic.map_or_else(|| "none".to_owned(), |magic| format!("{magic:#x}"));
        table.row(vec![
            bits.to_string().into(),
            (1u64 << bits).into(),
            shown.into(),
            found.visited.into(),
        ]);
    }
    table.note =
        "A multiplier grows bit by bit from the right and is given up as soon as two words share \
                  an index: where none is found, there is none."
            .to_owned();
    findings.tables.push(table);
    match lab.effort {
        Effort::Full => {
            findings.numbers("fewest bits for two ones", enough.iter().min().map(|&n| n.into()))
        }
        Effort::Quick => {
            findings.lacks("fewest bits for two ones", "searched for in the full run only");
        }
    }
    Ok(())
}

/// Goes through all ones of some words, and adds up their places.
fn scan(words: &[u64], place: impl Fn(u64) -> u64) -> u64 {
    let each = |&word: &u64| {
        let (mut rest, mut sum) = (word, 0);
        while rest != 0 {
            sum += place(rest & rest.wrapping_neg());
            rest &= rest - 1;
        }
        sum
    };
    words.iter().map(each).sum()
}

/// The multiplier against the processor's own instruction.
fn race(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    const WORDS: usize = 1 << 14;
    let rounds = lab.effort.pick(9, 41);
    let race: Race = lab.step("against the processor's own scan", |stop| {
        let places = places();
        let mut random = SplitMix64::stream(1, 0);
        // Two words and-ed are about as full as bitboards are.
        let words: Vec<u64> = (0..WORDS).map(|_| random.next() & random.next()).collect();
        let by_table = |one: u64| places[(one.wrapping_mul(PRINTED) >> SHIFT) as usize].into();
        let mut contenders: Vec<Box<dyn FnMut() -> u64>> = vec![
            Box::new(|| scan(black_box(&words), by_table)),
            Box::new(|| scan(black_box(&words), |one| one.trailing_zeros().into())),
        ];
        Race::run(rounds, &mut contenders, stop)
    })?;
    let ratio = race.ratio(0, 1);
    findings.measured("multiplication over instruction", ratio.median, ratio.low, ratio.high);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_finds_what_trial_finds() {
        let stop = || false;
        for width in [8, 16] {
            let tried = (0..1 << width).filter(|&number| serves(width, number)).count() as u64;
            assert_eq!(census(width, &stop).unwrap().count, tried);
        }
    }

    #[test]
    fn none_is_lost_by_beginning_with_zeros() {
        let stop = || false;
        for width in [8, 16, 32] {
            let all = census(width, &stop).unwrap();
            let index_bits = width.trailing_zeros();
            let census = Census::default();
            let mut walk = Walk { width, index_bits, from_zeros: true, census, stop: &stop };
            walk.grow(0, 0, 0).unwrap();
            assert_eq!((walk.census.count, walk.census.first), (all.count, all.first));
        }
    }
}
