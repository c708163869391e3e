//! The thread pool: threads that wait for work, so that no search has to start any.

use crate::smp::local_search::{FirstThread, LocalSearch};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle, Result};

/// Bytes of stack that a search may need: a line of the greatest length has a frame of some kilobytes at
/// each ply.
pub(crate) const STACK: usize = 16 << 20;

type Job = Box<dyn FnOnce() + Send>;

/// Threads, each with work of its own. Dropping the pool ends them when their work is done.
#[derive(Default)]
pub(crate) struct OsThreadPool(Vec<PoolThread>);

struct PoolThread {
    /// Closed in order to end the thread.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl OsThreadPool {
    /// Has at least `threads` threads from now on.
    pub(crate) fn grow_to(&mut self, threads: usize) -> io::Result<()> {
        while self.0.len() < threads {
            let (jobs, orders) = channel::<Job>();
            let thread = Builder::new()
                .name(format!("search {}", self.0.len()))
                .stack_size(STACK)
                .spawn(move || {
                    for job in orders {
                        // A panic has been reported by the job itself. The thread is needed again.
                        let _ = catch_unwind(AssertUnwindSafe(job));
                    }
                })?;
            self.0.push(PoolThread { jobs: Some(jobs), thread: Some(thread) });
        }
        Ok(())
    }

    /// Has at most `threads` threads from now on.
    pub(crate) fn shrink_to(&mut self, threads: usize) {
        self.0.truncate(threads);
    }

    /// Gives a thread something to do, after what it was given before.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        index: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JobHandle<T> {
        let (result, answer) = channel();
        let job: Job = Box::new(move || {
            // A panic goes to the thread that waits for the job; the pool's thread is needed again.
            // The handle may have been dropped: then no thread waits, and sending fails.
            let _ = result.send(catch_unwind(AssertUnwindSafe(work)));
        });
        self.jobs(index).send(job).expect("a thread lives until it is dropped");
        JobHandle(answer)
    }

    /// Gives a thread the first thread's part of a search.
    pub(crate) fn search(&self, index: usize, search: Arc<LocalSearch>, first: FirstThread) {
        #[cfg(test)]
        search.note_start(std::backtrace::Backtrace::force_capture());
        let job: Job = Box::new(move || search.run(first));
        self.jobs(index).send(job).expect("a thread lives until it is dropped");
    }

    fn jobs(&self, index: usize) -> &Sender<Job> {
        self.0[index].jobs.as_ref().expect("a thread takes work until it is dropped")
    }
}

impl Drop for PoolThread {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Jobs catch their own panics.
            let _ = thread.join();
        }
    }
}

/// Work that was given to a thread.
pub(crate) struct JobHandle<T>(Receiver<Result<T>>);

impl<T> JobHandle<T> {
    /// Waits for the end. A panic over there goes on here.
    pub(crate) fn wait(self) -> T {
        self.join().unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Waits for the end, which may be a panic.
    pub(crate) fn join(self) -> Result<T> {
        self.0.recv().expect("a thread does all work that it took on")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_works_and_answers() {
        let mut pool = OsThreadPool::default();
        pool.grow_to(5).unwrap();
        for _ in 0..3 {
            let jobs: Vec<_> = (0..5).map(|i| pool.run(i, move || i * i)).collect();
            let squares: Vec<_> = jobs.into_iter().map(JobHandle::wait).collect();
            assert_eq!(squares, [0, 1, 4, 9, 16]);
        }
    }

    #[test]
    fn a_panic_reaches_who_waits_and_the_thread_lives_on() {
        let mut pool = OsThreadPool::default();
        pool.grow_to(1).unwrap();
        let job = pool.run(0, || -> u32 { panic!("on purpose") });
        assert!(catch_unwind(AssertUnwindSafe(|| job.wait())).is_err());
        assert_eq!(pool.run(0, || 7).wait(), 7);
    }

    #[test]
    fn dropping_ends_what_is_under_way() {
        let (done, finished) = channel();
        let mut pool = OsThreadPool::default();
        pool.grow_to(3).unwrap();
        for i in 0..3 {
            let done = done.clone();
            pool.run(i, move || done.send(i).unwrap());
        }
        drop(pool);
        assert_eq!(finished.try_iter().count(), 3);
    }
}
