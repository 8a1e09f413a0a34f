//! Statements that only derivative code has: tape frames, cotangents, and loops that take turns.

use crate::ir::*;

/// Statements that the transformations add.
///
/// ```text
/// derived ::= zero v like w | unset v like w | release v | acc place place
///           | clear place | view v place | cut v v place | alone v* block | cells v place | chunks v place | parted v* place | fresh v lo hi | let v = pop place | guard params block
///           | save vars | restore vars                  one frame on the tape
///           | loop for [iterations] [frame] | times v block | frames for
///           | keep vars | replay vars                   one frame of the loop around
///           | sweep call
///           | either place operand
///           | move v w                            let v = w, or v = w
/// ```
#[derive(Clone, Debug)]
pub enum Derived {
    /// `let mut var = ` a shadow of `like`'s shape, all zero.
    Zero { var: Var, like: ShapeOf },
    /// The same, but to be initialised by the sweep that is the next to see it; in the array of another shadow of this type.
    Unset { var: Var, like: ShapeOf, of: Option<Var> },
    /// Give the buffers of an owned local back to the workspace.
    Release { var: Var },
    /// `place += value`, both aggregates.
    Acc { place: Place, value: Place, how: AddKind },
    /// `place = 0`.
    Clear { place: Place, whole: bool },
    /// `place = 0`, in the shape that `like` has by now: the place beside it in the value.
    Still { place: Place, like: Place },
    /// `let var = place.pop()`, of a shadow.
    Pop { var: Var, place: Place },
    /// A vector that outlives the loop starts another iteration, with so many elements again.
    Refill { var: Var, len: Option<PassiveCode>, with: Refill },
    /// `let var = &place`, or `&mut`: a slice that the code after it walks through; nothing where
    /// the guard is off.
    View { var: Var, place: Place, exclusive: bool, on: Option<ParamSet> },
    /// Likewise a slice of so many elements, if one is wanted; a slice of so many pairs behind it; and a slice of what is left
    /// of `place`.
    Cut { head: Option<(Var, usize)>, vars: [Var; 2], place: Place, pairs: Var, exclusive: bool, on: Option<ParamSet> },
    /// The body over these slices to be written, of which nothing else in it is a part: rustc tells LLVM so of parameters,
    /// and never of variables.
    NoAlias { slices: Vec<Var>, body: Block },
    /// `let var = ` the slice as cells, so that several elements of it can be available at once; of rows that are each other's neighbours.
    Cells { var: Var, place: Place, neighbours: bool },
    /// `let var = ` the slice as arrays of `width` elements each, so many as the count says; nothing where the guard is off.
    Chunks { var: Var, place: Place, width: usize, count: PassiveCode, exclusive: bool, on: Option<ParamSet> },
    /// Slices to be written, parts of `place` that are in order and do not overlap.
    Parted { vars: Vec<Var>, place: Place, starts: Vec<PassiveCode>, lengths: Vec<PassiveCode>, on: Option<ParamSet> },
    /// The block of frames of a loop whose iterations name theirs by [`TapeFrame::at`], to be read or not.
    FrameBlock(Box<Loop>),
    /// From here on [`TapeFrame::at`] counts from the frame `from` of the block, and there are so many.
    FrameWindow { widths: Widths, from: PassiveCode, count: PassiveCode },
    /// If the callee initialises this cotangent: clears what lies outside `lo..hi`, which the
    /// loop that follows initialises.
    Fresh { bar: Var, lo: PassiveCode, hi: PassiveCode },
    /// Only if one of these parameters is active in the call at hand.
    Guard { on: ParamSet, body: Block },
    /// Push one frame.
    PushFrame(TapeFrame),
    /// Pop one frame; declares its variables.
    PopFrame(TapeFrame),
    /// A counted loop of derivative code.
    Loop(Box<Loop>),
    /// `for _ in 0..iterations`.
    Times { iterations: Var, body: Block },
    /// A loop whose iterations find these arrays of theirs as the iteration before left them: places that last as long as the loop.
    LoopBuffers { vars: Vec<Var>, body: Block },
    /// Write the frame of this iteration.
    StoreFrame(TapeFrame),
    /// Read the frame of this iteration; declares its variables.
    LoadFrame(TapeFrame),
    /// A sweep of a called function.
    Sweep(Box<Sweep>),
    /// `let to = from`, or `to = from`: a whole value that nothing reads any more where it was.
    Move { to: Var, from: Var, declares: bool },
    /// In traces: what one way through the function gives to a place, which depends on what it was, too.
    Either { place: Place, value: Operand },
}

/// How aggregates are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddKind {
    /// As they are.
    Whole,
    /// Element by element: their containers differ.
    Elementwise,
    /// The value to what the place holds, an `Option`.
    Content,
}

/// What gives a shadow its shape.
#[derive(Clone, Debug)]
pub enum ShapeOf {
    /// A value that is available.
    Value(Place),
    /// A passive value.
    Passive(PassiveCode),
    /// A `Vec` of this length, whose elements are floats or [`Fixed`](ShapeOf::Fixed).
    Len(PassiveCode),
    /// The type alone: a tuple of floats and of what carries none.
    Fixed,
}

/// What a vector that is used again holds at first.
#[derive(Clone, Debug)]
pub enum Refill {
    /// As many times this value as it is long.
    Value(Operand),
    /// Zeros.
    Zero,
    /// Any values: all are set before they are read.
    Anything,
    /// A copy of the place.
    Copy(Place),
}

/// Tells the tape frames of a function apart: frames of one identity are pushed and popped by each other, and have the same layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub usize);

/// The values of one frame, in order.
#[derive(Clone, Debug, Default)]
pub struct TapeFrame {
    /// Which frame it is.
    pub id: FrameId,
    /// Floats, on the float stack (and their tangents on the tangent stack, second order).
    pub floats: Vec<Var>,
    /// Passive words.
    pub words: Vec<Var>,
    /// Whole aggregates.
    pub wholes: Vec<Var>,
    /// Of these: the ones that are read for their shapes only.
    pub shapes: Vars,
    /// The tangents of whole aggregates, each with its value.
    pub whole_dots: Vec<(Var, Var)>,
    /// Of the wholes: the ones that nothing reads afterwards, so that they can be moved to the tape.
    pub given: Vars,
    /// It may be popped more than once, so that nothing can be moved from the tape.
    pub again: bool,
    /// Of the wholes and their tangents: the ones that are restored into a vector that is there.
    pub into: Vars,
    /// Floats of the frame before this one in a block, under the names that they have by now.
    pub carried: Vec<Carried>,
    /// Which frame of the block it is, where the loop does not say so.
    pub at: Option<PassiveCode>,
}

/// A float that an iteration takes over from the iteration before.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// The variable that carries it.
    pub cell: Var,
    /// Its value at the beginning of the iteration.
    pub value: Var,
    /// The float of the frame that it was in the iteration before.
    pub was: Var,
}

/// A [`For`] of derivative code.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The loop; `down` is the direction that is meant here.
    pub on: For,
    /// Run only the first so many iterations (of the primal's order); of a forward loop that may be left before all frames of
    /// its block are filled: how many are.
    pub iterations: Option<Var>,
    /// Widths of a block of frames, one per iteration: `Keep` fills it, `Replay` reads it.
    pub frame: Option<Widths>,
    /// Which way the iterations go.
    pub sweep: LoopSweep,
    /// The sums that are made in several parts at once.
    pub lanes: Vec<Var>,
    /// What the first iteration takes over: for it there is one frame more, in front.
    pub first: Vec<Carried>,
    /// The slices that it walks along.
    pub walks: Vec<Walk>,
    /// Its frames are there before it: a [`Derived::FrameBlock`] stands in front.
    pub opened: bool,
}

/// A slice that a loop over whole ranges walks along: each iteration has its own element.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The element, by reference.
    pub element: Var,
    /// The slice, with an element for every iteration.
    pub slice: Place,
    /// How many elements an iteration has to itself, if not one: a slice of them stands for the element.
    pub by: Option<PassiveCode>,
    /// What is done to the elements.
    pub how: Walked,
}

/// What a loop does to the elements that it walks along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walked {
    /// They are read.
    Read,
    /// They are written, and nothing else of the array is used.
    Written,
    /// They are cells, since other iterations have them too.
    Shared,
}

/// How a loop's iterations relate to the primal's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopSweep {
    /// They are the primal's (and more).
    Primal,
    /// Their adjoints, in the primal's order: no iteration depends on another.
    AdjointForward,
    /// Their adjoints, from the last to the first.
    AdjointReversed,
}

/// How many values of each kind a frame holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// Floats.
    pub floats: usize,
    /// Words.
    pub words: usize,
    /// Tangents (second order).
    pub tangents: usize,
}

/// One sweep of a called function.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Which.
    pub kind: SweepKind,
    /// The callee and its arguments.
    pub call: Call,
    /// The result's variable (forward, both).
    pub result: Option<Var>,
    /// Per argument, where its cotangent goes.
    pub bars: Vec<Option<(Place, ParamSet)>>,
    /// The result's cotangent (reverse, both).
    pub result_bar: Option<Var>,
    /// The cotangents of arguments that the callee initialises.
    pub fresh: Vars,
    /// In second order: every variable above also stands for its tangent.
    pub tangents: Option<SweepTangents>,
}

impl Sweep {
    /// What it gives: the callee's result, and its tangent.
    pub fn results(&self) -> impl Iterator<Item = Var> {
        self.result.into_iter().chain(self.tangents.as_ref().and_then(|tangents| tangents.result))
    }
}

/// What second order adds to a [`Sweep`].
#[derive(Clone, Debug)]
pub struct SweepTangents {
    /// Per argument.
    pub args: Vec<Option<(Place, ParamSet)>>,
    /// Of the result.
    pub result: Option<Var>,
    /// Per argument, of its cotangent.
    pub bars: Vec<Option<Place>>,
    /// Of the result's cotangent.
    pub result_bar: Option<Var>,
}

/// Which sweep of a called function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepKind {
    /// Tangents (first order forward mode).
    Push,
    /// The forward sweep alone.
    Forward,
    /// The reverse sweep alone.
    Reverse,
    /// Both in one: the result's cotangent is known beforehand.
    Both,
}
