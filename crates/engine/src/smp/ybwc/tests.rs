use super::*;
use core::sync::atomic::AtomicU32;

/// A node of a tree that has the same shape for every processor: a number of plies, and some moves at each.
#[derive(Clone)]
struct Node {
    plies: u32,
    seed: u64,
}

const MOVES: u64 = 6;

fn child(seed: u64, mv: u64) -> u64 {
    (seed ^ mv.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .wrapping_mul(0xD134_2543_DE82_EF95)
        .rotate_left(29)
}

/// What the sequential alpha-beta search of it finds.
fn alpha_beta(node: &Node, mut alpha: i32, beta: i32) -> i32 {
    if node.plies == 0 {
        return (node.seed % 201) as i32 - 100;
    }
    let mut best = i32::MIN + 1;
    for mv in 0..MOVES {
        let next = Node { plies: node.plies - 1, seed: child(node.seed, mv) };
        best = best.max(-alpha_beta(&next, -beta, -alpha.max(best)));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

struct Work {
    next: u64,
    best: i32,
    alpha: i32,
}

struct Window {
    node: Node,
    beta: i32,
}

struct Toy<R: Runtime<Flag = SharedFlag>> {
    me: usize,
    pool: Arc<SplitPool<R, Toy<R>>>,
    stopped: SharedFlag,
    searched: Arc<AtomicU32>,
}

impl<R: Runtime<Flag = SharedFlag>> Searcher<R> for Toy<R> {
    type Node = Window;
    type Work = Work;
    type Item = u64;

    fn alpha(work: &Work) -> i32 {
        work.alpha
    }

    fn has_more(work: &Work) -> bool {
        work.next < MOVES
    }

    fn help(&mut self, handle: &mut SplitHandle<'_, R, Toy<R>>) {
        let split = handle.split();
        let Window { node, beta } = &split.node;
        let before = std::mem::replace(&mut self.stopped, split.stopped().clone());
        while let Some(turn) = handle.take(|work| {
            work.next += 1;
            (work.next <= MOVES).then_some(work.next - 1)
        }) {
            let next = Node { plies: node.plies - 1, seed: child(node.seed, turn.item) };
            let Some(value) = self.search(&next, -beta, -turn.alpha) else {
                handle.abandon(1);
                break;
            };
            handle.give(-value, 1, |work| {
                work.best = work.best.max(-value);
                work.alpha = work.alpha.max(work.best);
                SplitEffect::cutoff_if(work.alpha >= *beta)
            });
        }
        self.stopped = before;
    }
}

impl<R: Runtime<Flag = SharedFlag>> Toy<R> {
    /// The value, unless the search was stopped.
    fn search(&mut self, node: &Node, mut alpha: i32, beta: i32) -> Option<i32> {
        self.pool.runtime().charge(self.me, Cost::Nodes(1));
        self.searched.fetch_add(1, Ordering::Relaxed);
        if self.stopped.get() {
            return None;
        }
        if node.plies == 0 {
            return Some((node.seed % 201) as i32 - 100);
        }
        let mut best = i32::MIN + 1;
        for mv in 0..MOVES {
            let next = Node { plies: node.plies - 1, seed: child(node.seed, mv) };
            best = best.max(-self.search(&next, -beta, -alpha.max(best))?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
            let standing = self.pool.rules().standing_depth;
            let is_wanted = node.plies as i32 >= standing || self.pool.wanted(self.me).get();
            if node.plies >= 2 && is_wanted {
                let pool = Arc::clone(&self.pool);
                let offer = SplitOffer {
                    node: Window { node: node.clone(), beta },
                    work: Work { next: mv + 1, best, alpha },
                    last: Some(mv),
                    depth: node.plies as i32,
                    begun: 0,
                };
                if let Ok(work) = pool.split(self.me, self, offer) {
                    return (!self.stopped.get()).then_some(work.best);
                }
            }
        }
        Some(best)
    }
}

fn search_with<R: Runtime<Flag = SharedFlag>>(
    runtime: Arc<R>,
    processors: usize,
    rules: SplitRules,
    node: &Node,
) -> (i32, SplitCounts) {
    let pool = SplitPool::new(runtime, processors, rules);
    let searched = Arc::new(AtomicU32::new(0));
    let toy = |pool: &Arc<SplitPool<R, Toy<R>>>, me, searched| Toy {
        me,
        pool: Arc::clone(pool),
        stopped: SharedFlag::new(),
        searched,
    };
    for who in 1..processors {
        let searched = Arc::clone(&searched);
        pool.employ(who, move |server| {
            let mut toy = toy(server.pool(), who, searched);
            server.serve(&mut toy);
        });
    }
    let value = toy(&pool, 0, searched).search(node, -1000, 1000);
    pool.finish(0);
    (value.expect("the root is never stopped"), pool.counts())
}

fn every_rule() -> [SplitRules; 8] {
    let sound = SplitRules::default();
    [
        sound,
        SplitRules { max_threads: 2, ..sound },
        SplitRules { standing_depth: 4, ..sound },
        SplitRules { standing_depth: 0, captured_owner: true, ..sound },
        SplitRules { repeats_move: true, ..sound },
        SplitRules { private_alpha: true, ..sound },
        SplitRules { captured_owner: true, ..sound },
        SplitRules { repeats_move: true, private_alpha: true, captured_owner: true, ..sound },
    ]
}

#[test]
fn the_value_is_that_of_the_sequential_search() {
    let mut splits = 0;
    for seed in 1..4 {
        let node = Node { plies: 6, seed };
        let value = alpha_beta(&node, -1000, 1000);
        for rules in every_rule() {
            for processors in [1, 2, 3, 7] {
                let latencies =
                    Latencies { node: 1, split: 2, wake: 2, join: 1, merge: 1, stop: 1 };
                let time = VirtualTime::new(processors, latencies);
                let (found, counts) = search_with(time, processors, rules, &node);
                assert_eq!(found, value, "virtual {processors} {rules:?}");
                splits += counts.splits;
                let (found, _) = search_with(OsThreads::new(processors), processors, rules, &node);
                assert_eq!(found, value, "threads {processors} {rules:?}");
            }
        }
    }
    assert!(splits > 500, "{splits}");
}

#[test]
fn many_threads_on_few_cores_find_it_too() {
    for seed in 1..4 {
        let node = Node { plies: 7, seed };
        let value = alpha_beta(&node, -1000, 1000);
        let (found, _) = search_with(OsThreads::new(64), 64, SplitRules::default(), &node);
        assert_eq!(found, value);
    }
}

#[test]
fn a_helper_that_panics_takes_the_crew_with_it_instead_of_hanging() {
    struct Bomb;
    impl Searcher<OsThreads> for Bomb {
        type Node = ();
        type Work = u32;
        type Item = u32;

        fn alpha(_work: &u32) -> i32 {
            0
        }

        fn has_more(work: &u32) -> bool {
            *work > 0
        }

        fn help(&mut self, handle: &mut SplitHandle<'_, OsThreads, Bomb>) {
            while handle.take(|work| work.checked_sub(1).inspect(|&left| *work = left)).is_some() {
                assert!(handle.is_owner(), "on purpose");
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
    }
    let pool = SplitPool::new(OsThreads::new(2), 2, SplitRules::default());
    pool.employ(1, |server| server.serve(&mut Bomb));
    while !pool.wanted(0).get() {
        std::thread::yield_now();
    }
    let offer = SplitOffer { node: (), work: 1000, last: None, depth: 1, begun: 0 };
    let own = Arc::clone(&pool);
    let split = std::thread::spawn(move || own.split(0, &mut Bomb, offer).is_ok());
    assert!(split.join().is_err(), "the owner hears of it");
    pool.finish(0);
}
