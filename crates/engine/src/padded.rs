//! Padding against false sharing: data on a cache line of its own.

use core::ops::Deref;

/// Alone on its cache lines: what one thread writes often must not slow down other threads that read what
/// lies beside it.
#[derive(Default, Debug)]
#[repr(align(128))]
pub(crate) struct CachePadded<T>(pub(crate) T);

impl<T> Deref for CachePadded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
