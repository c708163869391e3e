//! Memory that threads do not quarrel about.

use core::ops::Deref;

/// Alone on its lines of memory: what one thread writes often must not slow down others who read what
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
