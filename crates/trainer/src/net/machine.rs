//! Goes through positions with several threads, learning from them or only judging.
//!
//! Each round has two phases. In the first, threads take chunks of positions: the outputs of the batch
//! that has gone forward are compared with what they should be, and the next batch is unpacked. In the
//! second they take tiles of neurons: the batch whose loss is known goes back, the weights make their step,
//! and the next batch goes forward.
//!
//! | round | chunks                   | tiles                              |
//! |-------|--------------------------|------------------------------------|
//! | 0     | unpack 0                 | 0 forward                          |
//! | 1     | loss 0, unpack 1         | 0 back, step, 1 forward            |
//! | ...   |                          |                                    |
//! | n     | loss n - 1               | n - 1 back, step                   |

use super::adam::{AdamStep, Moments};
use super::batch::Chunk;
use super::model::Model;
use super::sample::{FeatureTable, Sample};
use super::tile::{BLOCK, Path, Tile};
use crate::Stop;
use crate::fit::Target;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Positions in a chunk.
const CHUNK: usize = 128;

/// Columns of a tile, where the layer's width allows: with more, fewer would stay in a core's cache.
const WIDE_TILE: usize = 64;

/// Columns of a tile where the layer is so narrow that threads would be idle with wider ones.
const NARROW_LAYER: usize = 128;

/// A network while it learns.
pub(crate) struct Machine {
    model: Model,
    moments: Moments,
    tiles: Vec<RwLock<Tile>>,
    tile_width: usize,
    head: RwLock<Head>,
    table: FeatureTable,
    path: Path,
    threads: usize,
}

/// The outputs' biases, and the sum of squared errors.
struct Head {
    biases: Vec<f32>,
    gradient: Vec<f32>,
    moments: Moments,
    error: f64,
}

/// Which positions are gone through, and how.
#[derive(Clone, Copy)]
pub(crate) struct Lesson<'a> {
    pub(crate) samples: &'a [Sample],
    /// The places of the samples, in the order in which they come.
    pub(crate) order: &'a [u32],
    /// Positions to a batch.
    pub(crate) batch: usize,
    /// Batches that have been gone through before.
    pub(crate) done: usize,
    /// The sum of their squared errors.
    pub(crate) error: f64,
    pub(crate) target: Target,
}

/// How far a lesson has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Standing {
    /// Batches that have been gone through.
    pub(crate) done: usize,
    /// The sum of their squared errors.
    pub(crate) error: f64,
}

impl Lesson<'_> {
    fn batches(&self) -> usize {
        self.order.len().div_ceil(self.batch)
    }

    /// The positions of a chunk.
    fn chunk(&self, batch: usize, chunk: usize) -> impl Iterator<Item = &Sample> {
        let of_batch = self.order.chunks(self.batch).nth(batch).unwrap_or_default();
        let places = of_batch.chunks(CHUNK).nth(chunk).unwrap_or_default();
        places.iter().map(|&place| &self.samples[place as usize])
    }

    /// The share of one position in the mean over its batch.
    fn share(&self, batch: usize) -> f64 {
        let length = self.order.chunks(self.batch).nth(batch).unwrap_or_default().len();
        1.0 / length.max(1) as f64
    }
}

/// What follows each batch: the step to make, if there is something to learn.
pub(crate) type NextStep<'a> = &'a mut dyn FnMut() -> AdamStep;

impl Machine {
    pub(crate) fn new(model: Model, moments: Moments, threads: usize) -> Machine {
        let hidden = model.shape.hidden;
        let width = if hidden > NARROW_LAYER && hidden.is_multiple_of(WIDE_TILE) {
            WIDE_TILE
        } else {
            BLOCK
        };
        Machine::with(model, moments, threads, width, Path::best())
    }

    /// With tiles of another width, or for another processor: nothing but the speed depends on it.
    pub(crate) fn with(
        model: Model,
        moments: Moments,
        threads: usize,
        tile_width: usize,
        path: Path,
    ) -> Machine {
        let firsts = (0..model.shape.hidden).step_by(tile_width);
        let tiles = firsts.map(|first| Tile::new(&model, &moments, first, tile_width));
        let cut = |numbers: &[f32]| numbers[model.shape.biases_at()..].to_vec();
        let head = Head {
            biases: cut(&model.numbers),
            gradient: vec![0.0; model.shape.buckets],
            moments: Moments { mean: cut(&moments.mean), square: cut(&moments.square) },
            error: 0.0,
        };
        Machine {
            tiles: tiles.map(RwLock::new).collect(),
            tile_width,
            head: RwLock::new(head),
            table: FeatureTable::new(),
            path,
            threads: threads.max(1),
            model,
            moments,
        }
    }

    /// The network as it is now, and what the optimiser knows of it.
    pub(crate) fn state(&mut self) -> (&Model, &Moments) {
        for (tile, first) in self.tiles.iter().zip((0..).step_by(self.tile_width)) {
            read(tile).put_back(&mut self.model, &mut self.moments, first);
        }
        let at = self.model.shape.biases_at();
        let head = read(&self.head);
        self.model.numbers[at..].copy_from_slice(&head.biases);
        self.moments.mean[at..].copy_from_slice(&head.moments.mean);
        self.moments.square[at..].copy_from_slice(&head.moments.square);
        (&self.model, &self.moments)
    }

    /// Goes through a lesson, or what is left of it, until it ends or is stopped.
    ///
    /// Without `next_step` nothing is learnt. `progress` is called now and then.
    pub(crate) fn go_through(
        &mut self,
        lesson: &Lesson<'_>,
        mut next_step: Option<NextStep<'_>>,
        stop: Stop<'_>,
        progress: &mut dyn FnMut(&Standing),
    ) -> Standing {
        let chunks = lesson.batch.min(lesson.order.len()).div_ceil(CHUNK);
        let room = || (0..chunks).map(|_| RwLock::new(Chunk::default())).collect();
        for tile in &self.tiles {
            write(tile).make_room(chunks * CHUNK);
        }
        write(&self.head).error = lesson.error;
        let round = Round {
            machine: self,
            lesson,
            learns: next_step.is_some(),
            buffers: [room(), room()],
            step: RwLock::new(AdamStep::default()),
            last: AtomicUsize::new(lesson.batches()),
            next_chunk: AtomicUsize::new(0),
            next_tile: AtomicUsize::new(0),
            barrier: Barrier::new(self.threads),
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| {
                    for number in lesson.done.. {
                        if !round.play(number, &mut |_| ()) {
                            break;
                        }
                    }
                });
            }
            for number in lesson.done.. {
                let lead = &mut |phase: Phase| match phase {
                    Phase::Chunks => {
                        if number > lesson.done {
                            let error = read(&self.head).error;
                            progress(&Standing { done: number - 1, error });
                            if let Some(next_step) = &mut next_step {
                                *write(&round.step) = next_step();
                            }
                        }
                        round.next_tile.store(0, Ordering::Relaxed);
                    }
                    Phase::Tiles => {
                        if stop() {
                            round.last.fetch_min(number + 1, Ordering::Relaxed);
                        }
                        round.next_chunk.store(0, Ordering::Relaxed);
                    }
                };
                if !round.play(number, lead) {
                    break;
                }
            }
        });
        let done = round.last.load(Ordering::Relaxed);
        Standing { done, error: read(&self.head).error }
    }
}

enum Phase {
    Chunks,
    Tiles,
}

/// What threads share while they go through a lesson.
struct Round<'a> {
    machine: &'a Machine,
    lesson: &'a Lesson<'a>,
    learns: bool,
    /// Batches with even and with odd numbers.
    buffers: [Vec<RwLock<Chunk>>; 2],
    step: RwLock<AdamStep>,
    /// The batch before which it ends.
    last: AtomicUsize,
    next_chunk: AtomicUsize,
    next_tile: AtomicUsize,
    barrier: Barrier,
}

impl Round<'_> {
    /// One thread's part in a round; `lead` is called in each phase. Is there another?
    fn play(&self, number: usize, lead: &mut dyn FnMut(Phase)) -> bool {
        // Decided before the last round's end, and so the same for all.
        let last = self.last.load(Ordering::Relaxed);
        let before = (number > self.lesson.done).then(|| number - 1);
        let next = (number < last).then_some(number);
        lead(Phase::Chunks);
        while let Some(chunk) = take(&self.next_chunk, self.buffers[0].len()) {
            if let Some(batch) = before {
                self.compute_loss(batch, chunk);
            }
            if let Some(batch) = next {
                let samples = self.lesson.chunk(batch, chunk);
                let (table, shape) = (&self.machine.table, self.machine.model.shape);
                write(&self.buffers[batch % 2][chunk]).fill(
                    samples,
                    table,
                    shape,
                    self.lesson.target,
                );
            }
        }
        self.barrier.wait();
        lead(Phase::Tiles);
        while let Some(tile) = take(&self.next_tile, self.machine.tiles.len() + 1) {
            match (self.machine.tiles.get(tile), before) {
                (Some(tile), _) => self.work_on(&mut write(tile), before, next),
                (None, Some(batch)) => self.sum_up(batch),
                (None, None) => (),
            }
        }
        self.barrier.wait();
        next.is_some()
    }

    fn compute_loss(&self, batch: usize, chunk: usize) {
        let tiles: Vec<_> = self.machine.tiles.iter().map(read).collect();
        let head = read(&self.machine.head);
        let output = |index: usize, bucket: usize| {
            tiles.iter().fold(head.biases[bucket], |output, tile| {
                let blocks = tile.blocks();
                let sums = &tile.sums[(chunk * CHUNK + index) * blocks..][..blocks];
                sums.iter().fold(output, |output, sum| output + sum)
            })
        };
        write(&self.buffers[batch % 2][chunk]).compute_loss(
            output,
            self.lesson.target,
            self.lesson.share(batch),
        );
    }

    fn work_on(&self, tile: &mut Tile, before: Option<usize>, next: Option<usize>) {
        let path = self.machine.path;
        let chunks = |batch: usize| self.buffers[batch % 2].iter().zip((0..).step_by(CHUNK));
        if let Some(batch) = before
            && self.learns
        {
            for (chunk, first) in chunks(batch) {
                tile.backward(path, &read(chunk), first);
            }
            tile.step(path, &read(&self.step));
        }
        for (chunk, first) in next.into_iter().flat_map(chunks) {
            tile.forward(path, &read(chunk), first);
        }
    }

    /// What is neither a chunk's nor a tile's: the error, and the outputs' biases.
    fn sum_up(&self, batch: usize) {
        let mut head = write(&self.machine.head);
        let head = &mut *head;
        for chunk in &self.buffers[batch % 2] {
            head.error += read(chunk).error;
        }
        if self.learns {
            for (bucket, slope) in head.gradient.iter_mut().enumerate() {
                let chunks = self.buffers[batch % 2].iter();
                *slope = chunks.map(|chunk| read(chunk).bucket_slope(bucket)).sum::<f64>() as f32;
            }
            read(&self.step).apply(&mut head.biases, &mut head.moments, &mut head.gradient);
        }
    }
}

/// The next of `count` tasks, if there is one.
fn take(next: &AtomicUsize, count: usize) -> Option<usize> {
    let task = next.fetch_add(1, Ordering::Relaxed);
    (task < count).then_some(task)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
