//! Which states of a long loop are kept for its reverse sweep, and which are computed again.
//!
//! The states that are kept lie on the tape, the last on top. The reverse sweep turns iterations from the last to the first: it
//! takes the topmost state, runs the loop on from there, perhaps keeping more states on the way, and turns the last iteration.

/// How many iterations can be turned with `snapshots` kept states, if none is run more than `repeats` times: β(s, r) = (s + r)! / (s! r!).
///
/// A. Griewank and A. Walther, Algorithm 799: revolve, ACM Transactions on Mathematical Software 26 (2000), proposition 1.
pub fn reach(snapshots: usize, repeats: usize) -> u128 {
    let s = snapshots as u128;
    (1..=repeats as u128).fold(1, |reach: u128, r| reach.saturating_mul(s + r) / r)
}

/// Where to keep the next state on the way from the kept state before the iteration `from` to the iteration before `end`, which is to be
/// turned, while `free` more states may be kept; `end - 1` if none is to be kept.
///
/// Turning all iterations from the last to the first by this rule runs as few iterations as is possible with so many states: for l iterations
/// and s states r l − β(s + 1, r − 1), with the r for which β(s, r − 1) < l ≤ β(s, r) (Griewank and Walther 2000, proposition 1).
pub fn stop(from: usize, end: usize, free: usize) -> usize {
    let (iterations, last) = ((end - from) as u128, end - 1);
    if free == 0 || iterations <= 1 {
        return last;
    }
    let (s, mut repeats, mut before, mut here) = (free as u128 + 1, 0, 0, 1);
    while here < iterations {
        repeats += 1;
        (before, here) = (here, here.saturating_mul(s + repeats) / repeats);
    }
    // β(s, r − 2) and β(s − 1, r), from β(s, r − 1) and β(s, r)
    let least = before * repeats.saturating_sub(1) / (s + repeats - 1);
    let beyond = here.saturating_mul(s) / (s + repeats);
    from + least.max(iterations.saturating_sub(beyond)).max(1) as usize
}

/// The root of the number of iterations: with every so many states kept, as many states are kept as iterations are recorded at a time.
pub fn root(iterations: usize) -> usize {
    let root = iterations.isqrt();
    (root + usize::from(root * root < iterations)).max(1)
}

/// The element of a loop's range that its iteration number `k` has.
#[inline]
pub fn nth<I: Iterator>(mut range: I, k: usize) -> I::Item {
    range.nth(k).expect("an iteration that was run before")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the reverse sweep of generated code does.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Action {
        Keep(usize),
        Advance(usize, usize),
        Resume(usize),
        Turn(usize),
    }

    /// The actions that turn `iterations` iterations, once the state before the first is kept.
    fn actions(iterations: usize, snapshots: usize) -> Vec<Action> {
        let (mut actions, mut kept, mut end) = (vec![Action::Keep(0)], vec![0], iterations);
        while end > 0 {
            let mut at = kept.pop().expect("the first state is kept until the end");
            actions.push(Action::Resume(at));
            if at + 1 < end {
                kept.push(at);
            }
            while at + 1 < end {
                let to = stop(at, end, snapshots - kept.len());
                actions.push(Action::Advance(at, to));
                at = to;
                if at + 1 < end {
                    kept.push(at);
                    actions.push(Action::Keep(at));
                }
                assert!(kept.len() <= snapshots);
            }
            actions.push(Action::Turn(at));
            end = at;
        }
        assert_eq!(kept.is_empty(), iterations > 0);
        actions
    }

    fn advanced(actions: &[Action]) -> usize {
        let length = |a: &Action| if let Action::Advance(from, to) = a { to - from } else { 0 };
        actions.iter().map(length).sum()
    }

    /// The least number of iterations run, by dynamic programming over the place of the next state.
    fn least(most: usize, snapshots: usize) -> Vec<Vec<usize>> {
        let alone = (0..=most).map(|l| l * l.saturating_sub(1) / 2).collect();
        let mut table: Vec<Vec<usize>> = vec![vec![], alone];
        table.resize(snapshots + 1, vec![0; most + 1]);
        for s in 2..=snapshots {
            for l in 2..=most {
                table[s][l] = (1..l).map(|m| m + table[s - 1][l - m] + table[s][m]).min().expect("a place");
            }
        }
        table
    }

    #[test]
    fn reaches_are_binomial_coefficients() {
        assert_eq!([reach(3, 0), reach(3, 1), reach(3, 2), reach(3, 3), reach(10, 5)], [1, 4, 10, 20, 3003]);
    }

    #[test]
    fn every_iteration_is_turned_once_from_its_own_state() {
        for (iterations, snapshots) in [(0, 1), (1, 1), (2, 1), (7, 1), (7, 2), (10, 3), (97, 5), (50, 60)] {
            let (mut at, mut kept, mut turned) = (0, std::collections::BTreeSet::new(), Vec::new());
            for action in actions(iterations, snapshots) {
                match action {
                    Action::Keep(k) => {
                        assert_eq!(at, k);
                        kept.insert(k);
                    }
                    Action::Advance(from, to) => {
                        assert!(at == from && from < to);
                        at = to;
                    }
                    Action::Resume(k) => {
                        assert!(kept.contains(&k));
                        at = k;
                    }
                    Action::Turn(k) => {
                        assert_eq!(at, k);
                        turned.push(k);
                    }
                }
            }
            assert_eq!(turned, (0..iterations).rev().collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_schedule_runs_fewer_iterations() {
        let table = least(120, 8);
        for (s, row) in table.iter().enumerate().skip(1) {
            for (l, expected) in row.iter().enumerate().skip(1) {
                assert_eq!(advanced(&actions(l, s)), *expected, "{l} iterations, {s} states");
            }
        }
    }

    #[test]
    fn the_number_of_iterations_run_is_that_of_revolve() {
        for s in [1, 2, 3, 5, 8, 13, 40] {
            for l in [1, 2, 3, 10, 33, 100, 364, 1000, 3003] {
                let r = (0..).find(|r| reach(s, *r) >= l as u128).expect("some number of repeats is enough");
                let expected = if r == 0 { 0 } else { r as u128 * l as u128 - reach(s + 1, r - 1) };
                assert_eq!(advanced(&actions(l, s)) as u128, expected, "{l} iterations, {s} states");
            }
        }
    }

    #[test]
    fn long_loops_and_few_states_do_not_overflow() {
        assert_eq!(stop(0, usize::MAX, 0), usize::MAX - 1);
        assert!(stop(0, usize::MAX, 30) < usize::MAX);
        assert!(stop(7, usize::MAX, usize::MAX - 1) == 8);
    }

    #[test]
    fn roots_are_rounded_up() {
        assert_eq!([0, 1, 2, 4, 5, 9, 10, 10_000_000].map(root), [1, 1, 2, 2, 3, 3, 4, 3163]);
    }
}
