//! The operators, as scenarios use them: every variant with memory of one shape, whose numbers can be read and written.

use diffi_runtime::error::Result;
use diffi_runtime::number::float::Base;
use diffi_runtime::number::hlist::{Flat, List};
use diffi_runtime::number::width::{BatchWidth, One};
use diffi_runtime::operators::derivative::*;
use diffi_runtime::operators::gradient::*;
use diffi_runtime::operators::hessian::*;
use diffi_runtime::operators::hvp::*;
use diffi_runtime::operators::jacobian::*;
use diffi_runtime::operators::pullback::*;
use diffi_runtime::operators::pushforward::*;
use diffi_runtime::operators::second_derivative::*;
use diffi_runtime::operators::strategy::Outputs;
use diffi_runtime::operators::{hessian, jacobian};
use diffi_runtime::signature::arg_roles::ArgRoles;
use diffi_runtime::signature::arguments::Args;
use diffi_runtime::signature::function::{Function, Number, Shown};
use diffi_runtime::signature::matrices::{Form, Matrices, Matrix, Views};
use diffi_runtime::signature::param_kinds::Signature;
use diffi_runtime::signature::result_buffers::Buffers;
use diffi_runtime::signature::seeds::Seeds;
use ndarray::Array2;
use sprs::CsMat;
use std::fmt::Debug;
use std::marker::PhantomData;

/// How a call is made.
#[derive(Debug)]
pub enum How<'a, F, B, P> {
    /// By the operator itself.
    Unprepared(&'a F, &'a B),
    /// By a prepared object.
    Prepared(&'a mut P),
}

/// An operator with the seeds `D`, on the function `F` by the backend `B`.
pub trait Operator<B, F: Function<G>, G: Signature, R: ArgRoles<G>, D>: Name {
    /// The prepared object.
    type Prep;
    /// Owns results.
    type Memory: Memory<G::Base>;

    /// Prepares.
    fn prepare(f: &F, b: &B, x: impl Args<G, R>, seeds: D) -> Result<Self::Prep>;
    /// Prepares for other sizes.
    fn resize(prep: &mut Self::Prep, x: impl Args<G, R>) -> Result<()>;
    /// The result.
    fn op(how: How<'_, F, B, Self::Prep>, x: impl Args<G, R>, seeds: D) -> Result<Self::Memory>;
    /// The result, overwriting memory.
    fn op_into(how: How<'_, F, B, Self::Prep>, memory: &mut Self::Memory, x: impl Args<G, R>, seeds: D) -> Result<()>;
    /// The result, and what is found on the way: the value, unless the operator gives none; for second order, the first.
    fn value_and_op(
        how: How<'_, F, B, Self::Prep>,
        x: impl Args<G, R>,
        seeds: D,
    ) -> Result<(Option<F::ReturnValue>, Self::Memory)>;
    /// The same, overwriting memory.
    fn value_and_op_into(
        how: How<'_, F, B, Self::Prep>,
        memory: &mut Self::Memory,
        x: impl Args<G, R>,
        seeds: D,
    ) -> Result<Option<F::ReturnValue>>;
}

/// An operator has a name, and so have its variants.
pub trait Name {
    /// The name of the operator.
    const NAME: &'static str;
    /// The name of the variant that gives more than the result.
    const WITH_VALUE: &'static str;
    /// Whether it is of second order.
    const SECOND: bool;
}

/// Results whose numbers can be read and written.
pub trait Memory<F> {
    /// Passes on the numbers of the derivative or gradient that an operator of second order gives besides, if it did.
    fn first(&mut self, f: &mut dyn FnMut(&mut F));
    /// Passes on the numbers of the result, row-major, those of several seeds one after the other.
    fn result(&mut self, f: &mut dyn FnMut(&mut F));
}

macro_rules! names {
    ($($(#[$doc:meta])* $Op:ident $(<$W:ident>)?: $op:ident, $with_value:ident, $second:literal;)+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $Op$(<$W = One>(PhantomData<$W>))?;

        impl$(<$W>)? Name for $Op$(<$W>)? {
            const NAME: &'static str = stringify!($op);
            const WITH_VALUE: &'static str = stringify!($with_value);
            const SECOND: bool = $second;
        }
    )+ };
}
names! {
    /// The operator `pushforward`.
    Pushforward<W>: pushforward, value_and_pushforward, false;
    /// The operator `pullback`.
    Pullback<W>: pullback, value_and_pullback, false;
    /// The operator `derivative`.
    Derivative: derivative, value_and_derivative, false;
    /// The operator `gradient`.
    Gradient: gradient, value_and_gradient, false;
    /// The operator `jacobian`.
    Jacobian: jacobian, value_and_jacobian, false;
    /// The operator `second_derivative`.
    SecondDerivative: second_derivative, value_derivative_and_second_derivative, true;
    /// The operator `hvp`.
    Hvp<W>: hvp, gradient_and_hvp, true;
    /// The operator `hessian`.
    Hessian: hessian, value_gradient_and_hessian, true;
}

/// `operator(f, b, ..)` or `prepared.operator(..)`.
macro_rules! call {
    ($how:ident $name:ident($($args:expr),*)) => {
        match $how {
            How::Unprepared(f, b) => $name(f.clone(), b.clone(), $($args),*),
            How::Prepared(prep) => prep.$name($($args),*),
        }
    };
}

/// Rows of tangents or cotangents, one for each seed.
pub struct Rows<L: List, W: BatchWidth>(W::Of<L::Stores<L::Base>>);

impl<L: Flat, W: BatchWidth> Rows<L, W> {
    fn of(tuples: W::Of<L::Tuple<L::Base>>) -> Self {
        Rows(W::map(tuples, L::stores))
    }

    fn lend(&mut self) -> LentRows<'_, L, W> {
        LentRows(self)
    }
}

impl<L: List, W: BatchWidth> Rows<L, W> {
    fn row(&mut self, k: usize) -> L::Muts<'_, L::Base> {
        L::muts(W::get(&mut self.0, k))
    }

    fn each(&mut self, mut f: &mut dyn FnMut(&mut L::Base)) {
        for k in 0..W::N {
            L::each(self.row(k), &mut f);
        }
    }
}

/// Rows that an operator writes to.
struct LentRows<'a, L: List, W: BatchWidth>(&'a mut Rows<L, W>);

impl<L: List, W: BatchWidth> Buffers<L, W> for LentRows<'_, L, W> {
    #[inline]
    fn get(&mut self, k: usize) -> L::Muts<'_, L::Base> {
        self.0.row(k)
    }
}

impl<L: List, W: BatchWidth> Memory<L::Base> for Rows<L, W> {
    fn first(&mut self, _: &mut dyn FnMut(&mut L::Base)) {}
    fn result(&mut self, f: &mut dyn FnMut(&mut L::Base)) {
        self.each(f);
    }
}

macro_rules! first_order {
    ($(
        $Op:ident $(<$W:ident>)?: $op:ident $into:ident $value:ident $value_into:ident, $prepare:ident -> $Prep:ident, $Backend:ident,
        memory $L:ty, $BatchWidth:ty; where $($bound:ty: [$($trait:tt)*]),*; $(seeds [$($Seeds:tt)*])?;
    )+) => { $(
        impl<B, F, G, R, D $(, $W: BatchWidth)?> Operator<B, F, G, R, D> for $Op$(<$W>)?
        where
            F: Function<G> + Clone,
            G: Signature,
            R: ArgRoles<G>,
            B: $Backend<F, G, R $(, $W)?>,
            $($bound: $($trait)*,)*
            $(D: $($Seeds)*,)?
        {
            type Prep = $Prep<F, B, G, R $(, $W)?>;
            type Memory = Rows<$L, $BatchWidth>;

            first_order!(@ $op $into $value $value_into $prepare $(, seeds $W)?);
        }
    )+ };
    (@ $op:ident $into:ident $value:ident $value_into:ident $prepare:ident) => {
        first_order!( seeds [] $op $into $value $value_into $prepare);
    };
    (@ $op:ident $into:ident $value:ident $value_into:ident $prepare:ident, seeds $W:ident) => {
        first_order!( seeds [, seeds] $op $into $value $value_into $prepare);
    };
    ( $seeds:ident [$($passed:tt)*] $op:ident $into:ident $value:ident $value_into:ident $prepare:ident) => {
        fn prepare(f: &F, b: &B, x: impl Args<G, R>, $seeds: D) -> Result<Self::Prep> {
            let _ = &$seeds;
            $prepare(f.clone(), b.clone(), x $($passed)*)
        }
        fn resize(prep: &mut Self::Prep, x: impl Args<G, R>) -> Result<()> {
            prep.resize(x)
        }
        fn op(how: How<'_, F, B, Self::Prep>, x: impl Args<G, R>, $seeds: D) -> Result<Self::Memory> {
            let _ = &$seeds;
            call!(how $op(x $($passed)*)).map(|result| Rows::of(F::ReturnValue::without(result)))
        }
        fn op_into(
            how: How<'_, F, B, Self::Prep>,
            memory: &mut Self::Memory,
            x: impl Args<G, R>,
            $seeds: D,
        ) -> Result<()> {
            let _ = &$seeds;
            call!(how $into(memory.lend(), x $($passed)*)).map(|_| ())
        }
        fn value_and_op(
            how: How<'_, F, B, Self::Prep>,
            x: impl Args<G, R>,
            $seeds: D,
        ) -> Result<(Option<F::ReturnValue>, Self::Memory)> {
            let _ = &$seeds;
            call!(how $value(x $($passed)*)).map(|(y, result)| (Some(F::ReturnValue::hidden(y)), Rows::of(result)))
        }
        fn value_and_op_into(
            how: How<'_, F, B, Self::Prep>,
            memory: &mut Self::Memory,
            x: impl Args<G, R>,
            $seeds: D,
        ) -> Result<Option<F::ReturnValue>> {
            let _ = &$seeds;
            call!(how $value_into(memory.lend(), x $($passed)*)).map(|y| Some(F::ReturnValue::hidden(y)))
        }
    };
}
first_order! {
    Pushforward<W>: pushforward pushforward_into value_and_pushforward value_and_pushforward_into,
        prepare_pushforward -> PushforwardPrep, PushforwardBackend, memory Outputs<F, G, R>, W;
        where Outputs<F, G, R>: [Flat]; seeds [Seeds<R::In, W>];
    Pullback<W>: pullback pullback_into value_and_pullback value_and_pullback_into,
        prepare_pullback -> PullbackPrep, PullbackBackend, memory R::In, W;
        where R::In: [Flat]; seeds [Seeds<Outputs<F, G, R>, W>];
    Derivative: derivative derivative_into value_and_derivative value_and_derivative_into,
        prepare_derivative -> DerivativePrep, PushforwardBackend, memory Outputs<F, G, R>, One;
        where R::In: [OneNumber], Outputs<F, G, R>: [Flat];;
    Gradient: gradient gradient_into value_and_gradient value_and_gradient_into,
        prepare_gradient -> GradientPrep, GradientBackend, memory R::In, One;
        where F::ReturnValue: [Number<G::Base, R::Outs>], R::In: [Flat];;
}

/// A type of matrices whose entries can be read and written, those that are not stored as zeros that nobody keeps.
pub trait Grid: Form + Matrix<Self> + Sized {
    /// How many rows there are.
    fn height(&self) -> usize;
    /// Passes on the entries of a row.
    fn each_of_row(&mut self, row: usize, f: &mut dyn FnMut(&mut Self::Base));
}

impl<F> Grid for Array2<F> {
    fn height(&self) -> usize {
        self.nrows()
    }
    fn each_of_row(&mut self, row: usize, f: &mut dyn FnMut(&mut F)) {
        self.row_mut(row).iter_mut().for_each(f);
    }
}

impl<F: Base> Grid for CsMat<F> {
    fn height(&self) -> usize {
        self.rows()
    }
    fn each_of_row(&mut self, row: usize, f: &mut dyn FnMut(&mut F)) {
        for column in 0..self.cols() {
            match self.get_mut(row, column) {
                Some(entry) => f(entry),
                None => f(&mut { <F as Base>::ZERO }),
            }
        }
    }
}

/// The blocks of a Jacobian, side by side.
#[derive(Debug)]
pub struct Blocks<M>(Vec<M>);

impl<M> Blocks<M> {
    fn of<L: Flat>(blocks: L::Blocks<M>) -> Self {
        let mut all = Vec::new();
        L::each_block(blocks, |block| all.push(block));
        Blocks(all)
    }
}

impl<M: Grid> Memory<M::Base> for Blocks<M> {
    fn first(&mut self, _: &mut dyn FnMut(&mut M::Base)) {}
    fn result(&mut self, f: &mut dyn FnMut(&mut M::Base)) {
        let rows = self.0.first().map_or(0, Grid::height);
        for row in 0..rows {
            self.0.iter_mut().for_each(|block| block.each_of_row(row, f));
        }
    }
}

/// Blocks that a Jacobian is written to.
struct LentBlocks<'a, M>(&'a mut [M]);

impl<L: List, M: Form<Base = L::Base>> Matrices<L, M> for LentBlocks<'_, M> {
    fn views(&mut self) -> Views<'_, M> {
        let mut views: Views<'_, M> = Default::default();
        for (view, block) in views.iter_mut().zip(self.0.iter_mut()) {
            *view = Some(block.whole());
        }
        views
    }
    fn view(&mut self, k: usize) -> Option<M::View<'_>> {
        self.0.get_mut(k).map(|block| block.whole())
    }
}

impl<B, F, G, R, D> Operator<B, F, G, R, D> for Jacobian
where
    F: Function<G> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    B: JacobianBackend<F, G, R>,
    jacobian::MatrixOf<B, F, G, R>: Grid,
    R::In: Flat,
{
    type Prep = JacobianPrep<F, B, G, R>;
    type Memory = Blocks<jacobian::MatrixOf<B, F, G, R>>;

    fn prepare(f: &F, b: &B, x: impl Args<G, R>, _: D) -> Result<Self::Prep> {
        prepare_jacobian(f.clone(), b.clone(), x)
    }
    fn resize(prep: &mut Self::Prep, x: impl Args<G, R>) -> Result<()> {
        prep.resize(x)
    }
    fn op(how: How<'_, F, B, Self::Prep>, x: impl Args<G, R>, _: D) -> Result<Self::Memory> {
        call!(how jacobian(x)).map(|j| Blocks::of::<R::In>(F::ReturnValue::without(j)))
    }
    fn op_into(how: How<'_, F, B, Self::Prep>, memory: &mut Self::Memory, x: impl Args<G, R>, _: D) -> Result<()> {
        call!(how jacobian_into(LentBlocks(&mut memory.0), x)).map(|_| ())
    }
    fn value_and_op(
        how: How<'_, F, B, Self::Prep>,
        x: impl Args<G, R>,
        _: D,
    ) -> Result<(Option<F::ReturnValue>, Self::Memory)> {
        call!(how value_and_jacobian(x)).map(|(y, j)| (Some(F::ReturnValue::hidden(y)), Blocks::of::<R::In>(j)))
    }
    fn value_and_op_into(
        how: How<'_, F, B, Self::Prep>,
        memory: &mut Self::Memory,
        x: impl Args<G, R>,
        _: D,
    ) -> Result<Option<F::ReturnValue>> {
        call!(how value_and_jacobian_into(LentBlocks(&mut memory.0), x)).map(|y| Some(F::ReturnValue::hidden(y)))
    }
}

/// A result of second order, and the derivative or gradient if it was asked for.
#[derive(Debug)]
pub struct Both<X, Y>(Option<X>, Y);

impl<L: List, N: List<Base = L::Base>, W: BatchWidth> Memory<L::Base> for Both<Rows<L, One>, Rows<N, W>> {
    fn first(&mut self, f: &mut dyn FnMut(&mut L::Base)) {
        self.0.iter_mut().for_each(|rows| rows.each(f));
    }
    fn result(&mut self, f: &mut dyn FnMut(&mut L::Base)) {
        self.1.each(f);
    }
}

/// A gradient and a matrix.
#[derive(Debug)]
pub struct WithMatrix<X, M>(Option<X>, M);

impl<L: List, M: Grid<Base = L::Base>> Memory<L::Base> for WithMatrix<Rows<L, One>, M> {
    fn first(&mut self, f: &mut dyn FnMut(&mut L::Base)) {
        self.0.iter_mut().for_each(|rows| rows.each(f));
    }
    fn result(&mut self, f: &mut dyn FnMut(&mut L::Base)) {
        (0..self.1.height()).for_each(|row| self.1.each_of_row(row, f));
    }
}

/// The memory for what an operator of second order gives besides, which was made when it was asked for.
fn besides<X, Y>(memory: &mut Both<X, Y>) -> (&mut X, &mut Y) {
    (memory.0.as_mut().expect("the variant without memory comes first"), &mut memory.1)
}

impl<B, F, G, R, D> Operator<B, F, G, R, D> for SecondDerivative
where
    F: Function<G> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    B: SecondDerivativeBackend<F, G, R>,
    R::In: OneNumber,
    Outputs<F, G, R>: Flat,
{
    type Prep = SecondDerivativePrep<F, B, G, R>;
    type Memory = Both<Rows<Outputs<F, G, R>, One>, Rows<Outputs<F, G, R>, One>>;

    fn prepare(f: &F, b: &B, x: impl Args<G, R>, _: D) -> Result<Self::Prep> {
        prepare_second_derivative(f.clone(), b.clone(), x)
    }
    fn resize(prep: &mut Self::Prep, x: impl Args<G, R>) -> Result<()> {
        prep.resize(x)
    }
    fn op(how: How<'_, F, B, Self::Prep>, x: impl Args<G, R>, _: D) -> Result<Self::Memory> {
        call!(how second_derivative(x)).map(|result| Both(None, Rows::of(F::ReturnValue::without(result))))
    }
    fn op_into(how: How<'_, F, B, Self::Prep>, memory: &mut Self::Memory, x: impl Args<G, R>, _: D) -> Result<()> {
        call!(how second_derivative_into(memory.1.lend(), x)).map(|_| ())
    }
    fn value_and_op(
        how: How<'_, F, B, Self::Prep>,
        x: impl Args<G, R>,
        _: D,
    ) -> Result<(Option<F::ReturnValue>, Self::Memory)> {
        let (y, first, second) = call!(how value_derivative_and_second_derivative(x))?;
        Ok((Some(F::ReturnValue::hidden(y)), Both(Some(Rows::of(first)), Rows::of(second))))
    }
    fn value_and_op_into(
        how: How<'_, F, B, Self::Prep>,
        memory: &mut Self::Memory,
        x: impl Args<G, R>,
        _: D,
    ) -> Result<Option<F::ReturnValue>> {
        let (first, second) = besides(memory);
        let y = call!(how value_derivative_and_second_derivative_into(first.lend(), second.lend(), x))?;
        Ok(Some(F::ReturnValue::hidden(y)))
    }
}

impl<B, F, G, R, D, W: BatchWidth> Operator<B, F, G, R, D> for Hvp<W>
where
    F: Function<G, ReturnValue: Number<G::Base, R::Outs>> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    B: HvpBackend<F, G, R, W>,
    R::In: Flat,
    D: Seeds<R::In, W>,
{
    type Prep = HvpPrep<F, B, G, R, W>;
    type Memory = Both<Rows<R::In, One>, Rows<R::In, W>>;

    fn prepare(f: &F, b: &B, x: impl Args<G, R>, v: D) -> Result<Self::Prep> {
        prepare_hvp(f.clone(), b.clone(), x, v)
    }
    fn resize(prep: &mut Self::Prep, x: impl Args<G, R>) -> Result<()> {
        prep.resize(x)
    }
    fn op(how: How<'_, F, B, Self::Prep>, x: impl Args<G, R>, v: D) -> Result<Self::Memory> {
        call!(how hvp(x, v)).map(|result| Both(None, Rows::of(F::ReturnValue::without(result))))
    }
    fn op_into(how: How<'_, F, B, Self::Prep>, memory: &mut Self::Memory, x: impl Args<G, R>, v: D) -> Result<()> {
        call!(how hvp_into(memory.1.lend(), x, v)).map(|_| ())
    }
    fn value_and_op(
        how: How<'_, F, B, Self::Prep>,
        x: impl Args<G, R>,
        v: D,
    ) -> Result<(Option<F::ReturnValue>, Self::Memory)> {
        let (g, hv) = F::ReturnValue::without(call!(how gradient_and_hvp(x, v))?);
        Ok((None, Both(Some(Rows(R::In::stores(g))), Rows::of(hv))))
    }
    fn value_and_op_into(
        how: How<'_, F, B, Self::Prep>,
        memory: &mut Self::Memory,
        x: impl Args<G, R>,
        v: D,
    ) -> Result<Option<F::ReturnValue>> {
        let (g, hv) = besides(memory);
        call!(how gradient_and_hvp_into(g.lend(), hv.lend(), x, v)).map(|_| None)
    }
}

impl<B, F, G, R, D> Operator<B, F, G, R, D> for Hessian
where
    F: Function<G, ReturnValue: Number<G::Base, R::Outs>> + Clone,
    G: Signature,
    R: ArgRoles<G>,
    B: HessianBackend<F, G, R>,
    hessian::MatrixOf<B, F, G, R>: Grid,
    R::In: Flat,
{
    type Prep = HessianPrep<F, B, G, R>;
    type Memory = WithMatrix<Rows<R::In, One>, hessian::MatrixOf<B, F, G, R>>;

    fn prepare(f: &F, b: &B, x: impl Args<G, R>, _: D) -> Result<Self::Prep> {
        prepare_hessian(f.clone(), b.clone(), x)
    }
    fn resize(prep: &mut Self::Prep, x: impl Args<G, R>) -> Result<()> {
        prep.resize(x)
    }
    fn op(how: How<'_, F, B, Self::Prep>, x: impl Args<G, R>, _: D) -> Result<Self::Memory> {
        call!(how hessian(x)).map(|h| WithMatrix(None, F::ReturnValue::without(h)))
    }
    fn op_into(how: How<'_, F, B, Self::Prep>, memory: &mut Self::Memory, x: impl Args<G, R>, _: D) -> Result<()> {
        call!(how hessian_into(&mut memory.1, x)).map(|_| ())
    }
    fn value_and_op(
        how: How<'_, F, B, Self::Prep>,
        x: impl Args<G, R>,
        _: D,
    ) -> Result<(Option<F::ReturnValue>, Self::Memory)> {
        let (y, g, h) = call!(how value_gradient_and_hessian(x))?;
        Ok((Some(F::ReturnValue::hidden(y)), WithMatrix(Some(Rows(R::In::stores(g))), h)))
    }
    fn value_and_op_into(
        how: How<'_, F, B, Self::Prep>,
        memory: &mut Self::Memory,
        x: impl Args<G, R>,
        _: D,
    ) -> Result<Option<F::ReturnValue>> {
        let WithMatrix(Some(g), h) = memory else { unreachable!("the variant without memory comes first") };
        call!(how value_gradient_and_hessian_into(g.lend(), h, x)).map(|y| Some(F::ReturnValue::hidden(y)))
    }
}
