//! SIMD: accumulator updates and SCReLU, as the processor at hand does them best. All ways give the same numbers.
//!
//! What is done is written once, over [`Simd`]; a function that is compiled for a processor's
//! features takes it all in. Closures stay out of it, since they would be compiled for any processor.
//!
//! Registers come from a token of their instruction set alone, so that none can be used where the
//! processor lacks it.

use super::QA;
use super::lanes::{Lanes, WIDTH};
use super::network::Network;
#[cfg(target_arch = "x86_64")]
use tabiya_chess::cpu::Avx2;

/// The way to do the sums.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cpu {
    /// As compiled for any processor.
    Portable,
    /// With registers of 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl Cpu {
    /// The best that this processor has.
    pub(super) fn best() -> Cpu {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            return Cpu::Avx2(avx2);
        }
        Cpu::Portable
    }
}

/// The name of the compilation that does the sums on this CPU.
pub(crate) fn cpu_path() -> &'static str {
    match Cpu::best() {
        Cpu::Portable => "portable",
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx2(_) => "avx2",
    }
}

/// An instruction set, as a token: what it hands out is used only where the processor has it.
pub(super) trait Simd: Copy {
    type Registers: Registers;
    type Output: Output;
    fn load(self, lanes: &Lanes) -> Self::Registers;
    fn no_output(self) -> Self::Output;
}

/// The numbers of one [`Lanes`] at work.
pub(super) trait Registers: Copy {
    fn store(self, lanes: &mut Lanes);
    /// Sums wrap around.
    fn plus(self, lanes: &Lanes) -> Self;
    fn minus(self, lanes: &Lanes) -> Self;
}

/// SCReLU: clipped and squared sums times weights, partly added up.
pub(super) trait Output {
    /// Adds those of some sums, at most [`BLOCK`] lanes of them.
    fn take_in<const N: usize>(&mut self, sums: &[Lanes; N], weights: &[Lanes; N]);
    fn total(self) -> i64;
}

/// As many lanes as stay in registers while rows go by.
const BLOCK: usize = 4;

/// `to` becomes `from` with some rows added and some taken away. With output weights, the new sums go
/// into the output while they are at hand.
#[inline(always)]
pub(super) fn update<S: Simd, const A: usize, const R: usize>(
    simd: S,
    from: &[Lanes],
    to: &mut [Lanes],
    added: [&[Lanes]; A],
    removed: [&[Lanes]; R],
    mut output: Option<(&[Lanes], &mut S::Output)>,
) {
    let (to, rest) = to.as_chunks_mut::<BLOCK>();
    update_blocks::<S, A, R, BLOCK>(simd, from, to, added, removed, 0, &mut output);
    if !rest.is_empty() {
        let (rest, _) = rest.as_chunks_mut::<1>();
        let first = to.len() * BLOCK;
        update_blocks::<S, A, R, 1>(simd, from, rest, added, removed, first, &mut output);
    }
}

/// Updates all blocks of a size from lane `first` on.
#[inline(always)]
fn update_blocks<S: Simd, const A: usize, const R: usize, const N: usize>(
    simd: S,
    from: &[Lanes],
    to: &mut [[Lanes; N]],
    added: [&[Lanes]; A],
    removed: [&[Lanes]; R],
    first: usize,
    output: &mut Option<(&[Lanes], &mut S::Output)>,
) {
    // All of one length, so that no step has to be checked.
    let count = to.len();
    let from = blocks_of::<N>(from, first, count);
    let mut added_blocks = [from; A];
    for (blocks, row) in added_blocks.iter_mut().zip(added) {
        *blocks = blocks_of(row, first, count);
    }
    let mut removed_blocks = [from; R];
    for (blocks, row) in removed_blocks.iter_mut().zip(removed) {
        *blocks = blocks_of(row, first, count);
    }
    let weights = match output {
        Some((weights, _)) => blocks_of(weights, first, count),
        None => from,
    };
    for i in 0..count {
        let mut sums = load_block(simd, &from[i]);
        for blocks in added_blocks {
            add_block(&mut sums, &blocks[i]);
        }
        for blocks in removed_blocks {
            subtract_block(&mut sums, &blocks[i]);
        }
        store_block(sums, &mut to[i]);
        if let Some((_, output)) = output {
            output.take_in(&to[i], &weights[i]);
        }
    }
}

#[inline(always)]
fn blocks_of<const N: usize>(lanes: &[Lanes], first: usize, count: usize) -> &[[Lanes; N]] {
    &lanes[first..].as_chunks().0[..count]
}

/// Adds sums times weights to the output.
#[inline(always)]
pub(super) fn take_in(output: &mut impl Output, sums: &[Lanes], weights: &[Lanes]) {
    let (sums, rest_of_sums) = sums.as_chunks::<BLOCK>();
    let (weights, rest_of_weights) = weights.as_chunks::<BLOCK>();
    for (sums, weights) in sums.iter().zip(weights) {
        output.take_in(sums, weights);
    }
    let (sums, weights) = (rest_of_sums.as_chunks::<1>().0, rest_of_weights.as_chunks().0);
    for (sums, weights) in sums.iter().zip(weights) {
        output.take_in(sums, weights);
    }
}

/// Adds the rows of some features to the sums and takes those of others away.
#[inline(always)]
pub(super) fn apply<S: Simd>(
    simd: S,
    network: &Network,
    sums: &mut [Lanes],
    added: &[u16],
    removed: &[u16],
) {
    let (blocks, rest) = sums.as_chunks_mut::<BLOCK>();
    apply_blocks::<S, BLOCK>(simd, network, blocks, added, removed, 0);
    let first = blocks.len() * BLOCK;
    apply_blocks::<S, 1>(simd, network, rest.as_chunks_mut().0, added, removed, first);
}

#[inline(always)]
fn apply_blocks<S: Simd, const N: usize>(
    simd: S,
    network: &Network,
    blocks: &mut [[Lanes; N]],
    added: &[u16],
    removed: &[u16],
    first: usize,
) {
    for (i, block) in blocks.iter_mut().enumerate() {
        let mut sums = load_block(simd, block);
        for &feature in added {
            let row = network.row(feature.into());
            add_block(&mut sums, &row[first..].as_chunks().0[i]);
        }
        for &feature in removed {
            let row = network.row(feature.into());
            subtract_block(&mut sums, &row[first..].as_chunks().0[i]);
        }
        store_block(sums, block);
    }
}

#[inline(always)]
fn load_block<S: Simd, const N: usize>(simd: S, lanes: &[Lanes; N]) -> [S::Registers; N] {
    let mut sums = [simd.load(&lanes[0]); N];
    for (sums, lanes) in sums.iter_mut().zip(lanes) {
        *sums = simd.load(lanes);
    }
    sums
}

#[inline(always)]
fn store_block<R: Registers, const N: usize>(sums: [R; N], lanes: &mut [Lanes; N]) {
    for (sums, lanes) in sums.into_iter().zip(lanes) {
        sums.store(lanes);
    }
}

#[inline(always)]
fn add_block<R: Registers, const N: usize>(sums: &mut [R; N], row: &[Lanes; N]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        *sums = sums.plus(row);
    }
}

#[inline(always)]
fn subtract_block<R: Registers, const N: usize>(sums: &mut [R; N], row: &[Lanes; N]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        *sums = sums.minus(row);
    }
}

/// The most that one neuron can contribute to the output.
const MOST: i64 = QA as i64 * QA as i64 * Network::MAX_OUTPUT_WEIGHT as i64;

/// The contributions of a block add up in 32 bits.
const _: () = assert!((BLOCK * WIDTH) as i64 * MOST <= i32::MAX as i64);

/// Any processor: the compiler finds the registers.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Simd for Portable {
    type Registers = Lanes;
    type Output = i64;

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Lanes {
        *lanes
    }

    #[inline(always)]
    fn no_output(self) -> i64 {
        0
    }
}

impl Registers for Lanes {
    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        *lanes = self;
    }

    #[inline(always)]
    fn plus(mut self, lanes: &Lanes) -> Lanes {
        for (sum, weight) in self.0.iter_mut().zip(lanes.0) {
            *sum = sum.wrapping_add(weight);
        }
        self
    }

    #[inline(always)]
    fn minus(mut self, lanes: &Lanes) -> Lanes {
        for (sum, weight) in self.0.iter_mut().zip(lanes.0) {
            *sum = sum.wrapping_sub(weight);
        }
        self
    }
}

impl Output for i64 {
    #[inline(always)]
    fn take_in<const N: usize>(&mut self, sums: &[Lanes; N], weights: &[Lanes; N]) {
        let mut part = 0;
        for (sums, weights) in sums.iter().zip(weights) {
            for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
                let passed = sum.clamp(0, QA as i16);
                // The first product fits into 16 bits, so that eight are done at once.
                part += i32::from(passed.wrapping_mul(weight)) * i32::from(passed);
            }
        }
        *self += i64::from(part);
    }

    #[inline(always)]
    fn total(self) -> i64 {
        self
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Avx2, Lanes, MOST, Network, Output, QA, Registers, Simd, WIDTH};
    use core::arch::x86_64::*;

    /// Two registers. Only a token makes some, and they keep it.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Wide([__m256i; 2], Avx2);

    /// Two registers of eight totals each, so that additions need not wait for one another.
    pub(in super::super) struct WideOutput([__m256i; 2], Avx2);

    /// Numbers of 16 bits in a register.
    const REGISTER: usize = 16;

    const _: () = assert!(size_of::<Lanes>() == size_of::<Wide>() && WIDTH == 2 * REGISTER);
    const _: () = assert!(align_of::<Lanes>() >= align_of::<__m256i>());

    /// Each of the eight totals of 32 bits takes in two neurons of every register.
    const _: () = assert!((4 * Network::MAX_HIDDEN / REGISTER) as i64 * MOST <= i32::MAX as i64);

    impl Simd for Avx2 {
        type Registers = Wide;
        type Output = WideOutput;

        #[inline(always)]
        fn load(self, lanes: &Lanes) -> Wide {
            let first = core::ptr::from_ref(lanes).cast::<__m256i>();
            // SAFETY: lanes are two registers long and aligned to one at least, and there is a token.
            unsafe { Wide([_mm256_load_si256(first), _mm256_load_si256(first.add(1))], self) }
        }

        #[inline(always)]
        fn no_output(self) -> WideOutput {
            // SAFETY: there is a token.
            unsafe { WideOutput([_mm256_setzero_si256(); 2], self) }
        }
    }

    impl Registers for Wide {
        #[inline(always)]
        fn store(self, lanes: &mut Lanes) {
            let first = core::ptr::from_mut(lanes).cast::<__m256i>();
            // SAFETY: as for `load`.
            unsafe {
                _mm256_store_si256(first, self.0[0]);
                _mm256_store_si256(first.add(1), self.0[1]);
            }
        }

        #[inline(always)]
        fn plus(self, lanes: &Lanes) -> Wide {
            let Wide(a, avx2) = self;
            let Wide(b, _) = avx2.load(lanes);
            // SAFETY: there is a token.
            unsafe { Wide([_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])], avx2) }
        }

        #[inline(always)]
        fn minus(self, lanes: &Lanes) -> Wide {
            let Wide(a, avx2) = self;
            let Wide(b, _) = avx2.load(lanes);
            // SAFETY: there is a token.
            unsafe { Wide([_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])], avx2) }
        }
    }

    impl Output for WideOutput {
        #[inline(always)]
        fn take_in<const N: usize>(&mut self, sums: &[Lanes; N], weights: &[Lanes; N]) {
            let WideOutput(output, avx2) = self;
            for (sums, weights) in sums.iter().zip(weights) {
                // SAFETY: there is a token.
                unsafe { take_in(output, avx2.load(sums), avx2.load(weights)) }
            }
        }

        #[inline(always)]
        fn total(self) -> i64 {
            // SAFETY: there is a token.
            unsafe { total(self.0) }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn take_in(output: &mut [__m256i; 2], Wide(sums, _): Wide, Wide(weights, _): Wide) {
        for i in 0..2 {
            let passed = _mm256_max_epi16(sums[i], _mm256_setzero_si256());
            let passed = _mm256_min_epi16(passed, _mm256_set1_epi16(QA as i16));
            let weighted = _mm256_mullo_epi16(passed, weights[i]);
            output[i] = _mm256_add_epi32(output[i], _mm256_madd_epi16(weighted, passed));
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn total(output: [__m256i; 2]) -> i64 {
        let eight = _mm256_add_epi32(output[0], output[1]);
        let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(eight));
        let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(eight));
        let four = _mm256_add_epi64(low, high);
        let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
        _mm_cvtsi128_si64(two) + _mm_extract_epi64::<1>(two)
    }
}
