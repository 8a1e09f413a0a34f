//! Rules written down once for all combinations of operands.

/// Two operands and the result, as arrays: the bodies of the rules for all combinations.
macro_rules! binary {
    ($([$($generics:tt)*] $X:ty, $op:ty, $Y:ty => $Out:ty, $F:ty where [$($bounds:tt)*]:
        $value:expr, $push:expr, $pull:expr, $pull_push:expr;
        |$a:ident| $view_a:expr, $dot_a:expr, $bar_a:expr;
        |$b:ident| $view_b:expr, $dot_b:expr, $bar_b:expr;
        |$y:ident| $own:expr, $own_shadow:expr, $bar:expr;
        $(start $value_in:expr, $value_onto:expr, $start:expr; $onto_a:expr, $onto_b:expr, $taken:expr;)?
    )+) => { $(
        impl<$($generics)*> Binary<$op, $Y> for $X
        where
            $($bounds)*
        {
            type Out = $Out;

            fn value(&self, _: &$op, other: &$Y) -> $Out {
                let ($a, $b) = (self, other);
                let $y = ($value)($view_a, $view_b);
                $own
            }
            fn push<A: LinearSpace<$F>>(
                &self,
                _: &$op,
                dot: Option<&Self::Shadow<A>>,
                other: &$Y,
                other_dot: Option<&<$Y as Place>::Shadow<A>>,
                _: &$Out,
                _: &mut Memory<Self, A>,
            ) -> Tan<$Out, A> {
                let ($a, $b) = (self, other);
                let (a, b) = ($view_a, $view_b);
                let $y = ($push)(a, dot.map(|$a| $dot_a), b, other_dot.map(|$b| $dot_b));
                $own_shadow
            }
            fn pull<A: LinearSpace<$F>>(
                &self,
                _: &$op,
                bar: Option<&mut Self::Shadow<A>>,
                other: &$Y,
                other_bar: Option<&mut <$Y as Place>::Shadow<A>>,
                _: Option<&$Out>,
                $y: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                let ($a, $b) = (self, other);
                let (a, b) = ($view_a, $view_b);
                ($pull)(a, bar.map(|$a| $bar_a), b, other_bar.map(|$b| $bar_b), $bar);
            }
            $(
                fn value_in(&self, _: &$op, other: &$Y, pool: &mut Pool<$F>) -> $Out {
                    let ($a, $b) = (self, other);
                    let $y = ($value_in)($view_a, $view_b, pool);
                    $own
                }
                #[inline]
                fn value_onto(&self, _: &$op, other: &$Y, onto: &mut $Out) -> bool {
                    let ($a, $b) = (self, other);
                    ($value_onto)($view_a, $view_b, onto)
                }
                fn start<A: LinearSpace<$F>>(
                    &self,
                    _: &$op,
                    bar: Option<&mut Self::Shadow<A>>,
                    other: &$Y,
                    other_bar: Option<&mut <$Y as Place>::Shadow<A>>,
                    [fresh, other_fresh]: [bool; 2],
                    _: Option<&$Out>,
                    $y: &mut Tan<$Out, A>,
                    memory: &mut Memory<Self, A>,
                ) {
                    let ($a, $b, pool) = (self, other, &mut memory.shadows);
                    let a_bar = bar.map(|bar| ($onto_a)(bar, fresh, &mut *pool));
                    let b_bar = other_bar.map(|bar| ($onto_b)(bar, other_fresh, &mut *pool));
                    ($start)($view_a, a_bar, $view_b, b_bar, $taken, pool);
                }
            )?
            fn pull_push<A: LinearSpace<$F>>(
                &self,
                _: &$op,
                dot: Option<&Self::Shadow<A>>,
                bars: Option<(&mut Self::Shadow<$F>, &mut Self::Shadow<A>)>,
                other: &$Y,
                other_dot: Option<&<$Y as Place>::Shadow<A>>,
                other_bars: Option<(&mut <$Y as Place>::Shadow<$F>, &mut <$Y as Place>::Shadow<A>)>,
                _: Option<&$Out>,
                y_bar: &Tan<$Out, $F>,
                y_bar_dot: &Tan<$Out, A>,
                _: &mut Memory<Self, A>,
            ) {
                let ($a, $b) = (self, other);
                let (a, b) = ($view_a, $view_b);
                let a_bars = bars.map(|($a, dot)| ($bar_a, { let $a = dot; $bar_a }));
                let b_bars = other_bars.map(|($b, dot)| ($bar_b, { let $b = dot; $bar_b }));
                let y_bar = { let $y = y_bar; $bar };
                let y_bar_dot = { let $y = y_bar_dot; $bar };
                let (a_dot, b_dot) = (dot.map(|$a| $dot_a), other_dot.map(|$b| $dot_b));
                ($pull_push)(a, a_dot, a_bars, b, b_dot, b_bars, y_bar, y_bar_dot);
            }
        }
    )+ };
}
pub(super) use binary;
