//! Ways to look up slider attacks, beside the shipped one: time per look-up and size of the tables.
//!
//! `cargo bench -p tabiya-chess --bench sliders`. Rounds are interleaved, so that a slow moment of
//! the machine meets all alike, and the median round counts. Every way is first shown to be right
//! on every occupancy of every square.

#![allow(clippy::print_stdout, reason = "a benchmark reports on stdout")]

mod layouts;
mod lines;
mod work;

use layouts::{Homogeneous, Packed, TwoLevel};
use lines::{Quintessence, RayScan};
use std::hint::black_box;
use std::time::Instant;
use tabiya_chess::attacks::magic::{self, Search, Sharing, Thrift};
use tabiya_chess::attacks::rays::Slider;
use tabiya_chess::attacks::sliders::{Method, Reader, SliderTable, Sliders};
use tabiya_chess::{Bitboard, Square};
use work::{Pattern, Work};

/// Odd, so that one of them is the median.
const ROUNDS: usize = 41;

/// How often the work is done for one time, after once untimed: whoever was before has left other
/// tables in the caches.
const PASSES: u64 = 8;

/// How the loops around the look-ups are compiled.
#[derive(Clone, Copy, PartialEq)]
enum Build {
    /// As for any processor of this architecture.
    Portable,
    /// With the bit-counting instructions that x86 processors have had since 2013.
    Modern,
}

/// Does the work of a pattern, and returns a number that depends on all answers.
type Run<'a> = Box<dyn Fn(Build, Pattern, &Work) -> u64 + 'a>;

/// A way to look up, ready to run.
struct Contender<'a> {
    name: &'static str,
    bytes: usize,
    run: Run<'a>,
}

impl<'a> Contender<'a> {
    fn new(name: &'static str, bytes: usize, sliders: impl Sliders + 'a) -> Contender<'a> {
        prove(name, sliders);
        let run = move |build, pattern, work: &Work| match build {
            Build::Portable => portable(sliders, pattern, work),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `builds` offers this one only where the processor has the features.
            Build::Modern => unsafe { modern(sliders, pattern, work) },
            #[cfg(not(target_arch = "x86_64"))]
            Build::Modern => portable(sliders, pattern, work),
        };
        Contender { name, bytes, run: Box::new(run) }
    }
}

#[inline(never)]
fn portable(sliders: impl Sliders, pattern: Pattern, work: &Work) -> u64 {
    work.run(sliders, pattern)
}

/// # Safety
/// The processor must have the features.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
unsafe fn modern<S: Sliders>(sliders: S, pattern: Pattern, work: &Work) -> u64 {
    work.run(sliders, pattern)
}

fn builds() -> Vec<(Build, &'static str)> {
    let mut builds = vec![(Build::Portable, "compiled for any processor")];
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        builds.push((Build::Modern, "compiled with BMI1, BMI2, LZCNT and POPCNT"));
    }
    builds
}

fn prove(name: &str, sliders: impl Sliders) {
    for square in Square::ALL {
        for slider in Slider::ALL {
            for occupied in slider.mask(square).subsets() {
                let found = match slider {
                    Slider::Bishop => sliders.bishop(square, occupied),
                    Slider::Rook => sliders.rook(square, occupied),
                };
                assert_eq!(
                    found,
                    slider.attacks(square, occupied),
                    "{name}: {slider:?} on {square}"
                );
            }
        }
    }
}

/// The cost of the loops, with nothing looked up.
#[derive(Clone, Copy)]
struct Nothing;

impl Sliders for Nothing {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        occupied ^ Bitboard(square as u64)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        occupied ^ Bitboard(square as u64)
    }
}

const SHIPPED: &str = "magic, shipped";
const RAY_SCAN: &str = "ray scan without ifs";
const RAY_SCAN_BRANCHING: &str = "ray scan with ifs";

fn main() {
    let search = Search::default();
    let keep_on = &mut |_| std::ops::ControlFlow::Continue(());
    let magics = magic::find_all(&search, keep_on).expect("the search has no limit");
    let thrift = Thrift { sharing: Sharing::Masked, width: 0, seed: search.seed };
    let packing = magic::minimise(&thrift, keep_on).expect("the search has no limit");

    let shipped = SliderTable::fill(Method::Magic);
    let Reader::Magic(shipped) = shipped.reader() else { unreachable!("filled for it") };
    let homogeneous = Homogeneous::new(&magics);
    let packed = Packed::new(&packing);
    let bytes = TwoLevel::<u8>::new(&magics);
    let words = TwoLevel::<u16>::new(&magics);
    let ray_scan = RayScan::new();
    let quintessence = Quintessence::new();
    let pext = SliderTable::fill(Method::Pext);
    #[cfg(target_arch = "x86_64")]
    let whole_sets = layouts::WholeSets::new();

    const ENTRIES: usize = 107_648;
    let mut contenders = vec![
        Contender::new(SHIPPED, 8 * ENTRIES, shipped),
        Contender::new("magic, homogeneous", homogeneous.bytes(), &homogeneous),
        Contender::new("magic, packed and masked", packing.bytes(), &packed),
        Contender::new("magic, two levels, u8", bytes.bytes(), &bytes),
        Contender::new("magic, two levels, u16", words.bytes(), &words),
    ];
    #[cfg(target_arch = "x86_64")]
    if let (Some(whole_sets), Reader::Pext(pext)) = (&whole_sets, pext.reader()) {
        contenders.push(Contender::new("pext, u64", whole_sets.bytes(), whole_sets));
        contenders.push(Contender::new("pext and pdep (shipped)", 2 * ENTRIES, pext));
    }
    contenders.push(Contender::new("hyperbola quintessence", quintessence.bytes(), &quintessence));
    contenders.push(Contender::new(RAY_SCAN, ray_scan.bytes(), ray_scan.without_branches()));
    contenders.push(Contender::new(RAY_SCAN_BRANCHING, ray_scan.bytes(), ray_scan.with_branches()));

    let work = Work::new();
    println!(
        "Slider look-ups: nanoseconds each, and ratio to the shipped magics. Median of {ROUNDS} \
         interleaved rounds.\n\n{}",
        Pattern::LEGEND
    );
    for (build, how) in builds() {
        report(build, how, &contenders, &work);
    }
}

fn report(build: Build, how: &str, contenders: &[Contender<'_>], work: &Work) {
    let [games, squares, random] = Pattern::NAMES;
    println!("\n{how}\n{:<26}{:>7}{games:>20}{squares:>20}{random:>20}", "", "KiB");
    let times = Pattern::ALL.map(|pattern| measure(build, pattern, contenders, work));
    let find = |name| {
        contenders.iter().position(|contender| contender.name == name).expect("a contender's name")
    };
    let shipped = find(SHIPPED);
    for (i, contender) in contenders.iter().enumerate() {
        print!("{:<26}{:>7}", contender.name, contender.bytes.div_ceil(1024));
        for times in &times {
            print!("{:>12.2}{:>8.2}", times[i], times[i] / times[shipped]);
        }
        println!();
    }
    print!("{:<26}{:>7}", "(the loop alone)", "");
    for pattern in Pattern::ALL {
        let nothing = |work: &Work| portable(Nothing, pattern, work);
        let mut times: Vec<f64> = (0..ROUNDS).map(|_| time(pattern, work, nothing).0).collect();
        print!("{:>12.2}{:>8}", median(&mut times), "");
    }
    println!("\n\nThe 2019 paper has magics about 30 % faster than ray scans. Here they take:");
    for (times, pattern) in times.iter().zip(Pattern::NAMES) {
        let [branching, branchless] = [RAY_SCAN_BRANCHING, RAY_SCAN].map(|name| {
            let ratio = times[shipped] / times[find(name)];
            let verdict = if ratio <= 0.7 { "as claimed" } else { "not as claimed" };
            format!("{:.0} % of the time of the {name} ({verdict})", 100.0 * ratio)
        });
        println!("{pattern:<9}{branching}, {branchless}");
    }
}

/// Nanoseconds per look-up, for each contender.
fn measure(build: Build, pattern: Pattern, contenders: &[Contender<'_>], work: &Work) -> Vec<f64> {
    let mut rounds = vec![Vec::with_capacity(ROUNDS); contenders.len()];
    let mut sums = vec![0; contenders.len()];
    for _ in 0..ROUNDS {
        for (i, contender) in contenders.iter().enumerate() {
            let (nanoseconds, sum) =
                time(pattern, work, |work| (contender.run)(build, pattern, work));
            rounds[i].push(nanoseconds);
            sums[i] = sum;
        }
    }
    assert!(sums.iter().all(|sum| *sum == sums[0]), "all look up the same");
    rounds.iter_mut().map(|times| median(times)).collect()
}

fn time(pattern: Pattern, work: &Work, run: impl Fn(&Work) -> u64) -> (f64, u64) {
    let sum = run(work);
    let begin = Instant::now();
    for _ in 0..PASSES {
        black_box(run(black_box(work)));
    }
    let nanoseconds = begin.elapsed().as_nanos() as f64;
    (nanoseconds / (PASSES * work.look_ups(pattern)) as f64, sum)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
