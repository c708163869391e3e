//! The runtime: what the YBWC protocol needs of threads, locks and time, so that they can be replaced.

use std::sync::Arc;

/// Processors, and the means by which they wait for each other. Processors are numbered from 0.
pub trait Runtime: Send + Sync + Sized + 'static {
    /// Something that one processor at a time may touch.
    type Lock<T: Send>: Lock<T>;
    /// Something that all processors may look at at any time.
    type Flag: Flag;

    /// Has another processor do something.
    fn spawn(self: &Arc<Self>, who: usize, work: Box<dyn FnOnce() + Send>);

    /// Waits until [`Runtime::wake`] is called for this processor, or returns at once if it was since
    /// the last time. It may also return for no reason.
    fn park(&self, me: usize);

    /// Ends the wait of a processor, or the next one that it begins.
    fn wake(&self, me: usize, who: usize);

    /// Something took time on a processor. Where time passes by itself this does nothing.
    fn charge(&self, me: usize, cost: Cost);

    /// The time of a processor, in nanoseconds since a moment of the past.
    fn now(&self, me: usize) -> u64;
}

/// A lock. A processor that holds one never parks.
pub trait Lock<T>: Send + Sync {
    /// Guards a value.
    fn new(value: T) -> Self;

    /// Changes the value, with exclusive access.
    fn with<A>(&self, work: impl FnOnce(&mut T) -> A) -> A;
}

/// A yes or no that is read much more often than it changes. No other memory hangs on it.
pub trait Flag: Send + Sync {
    /// No.
    fn new() -> Self;

    /// Is it yes?
    fn get(&self) -> bool;

    /// Makes it yes or no.
    fn set(&self, value: bool);
}

/// What takes time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// This many nodes were searched.
    Nodes(u64),
    /// A node was copied and offered to others.
    Split,
    /// An offer was taken up.
    Join,
    /// A processor leaves a split point.
    Merge,
    /// The other processors at a node were stopped.
    Stop,
}
