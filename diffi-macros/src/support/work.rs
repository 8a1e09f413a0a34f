//! Counted work: tests ask how the steps of a compilation grow with the code. Times on shared machines say too little.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// One step: a visit of a statement or an expression.
pub fn step() {
    steps_done(1);
}

/// Several steps: what is done with the members of a set.
pub fn steps_done(_count: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + _count);
}

/// How many steps something takes.
#[cfg(test)]
pub fn steps(run: impl FnOnce()) -> usize {
    let before = STEPS.get();
    run();
    STEPS.get() - before
}
