//! Derivative code of methods and functions as generated code calls it: one trait for each name, found by rustc on the type.

use super::{
    Formula, Jet, Operand, named, pull_push1, pull_push2, pull_push3, pull_push4, pull1, pull2, pull3, pull4, push1,
    push2, push3, push4,
};
use crate::intrinsics::library::{Binary, Memory, One, Tan, Two, Unary};
use crate::number::active::{Active, Place};
use crate::number::flag::Off;
use crate::number::linear_space::LinearSpace;
use crate::signature::shadow_slots::{BarSlot, DotSlot};
use crate::signature::sweeps::Sweeps;

type Out<T, Op, Args> = <T as Formula<Op, Args>>::Out;

/// The cotangent in a slot, with zeros in it if the callee has to begin it.
fn begun<'b, X: Active, A: LinearSpace<X::Base>>(
    x: &X,
    bar: &'b mut impl BarSlot<X, A>,
    memory: &mut Memory<X, A>,
) -> Option<&'b mut Tan<X, A>> {
    let fresh = bar.is_fresh();
    let mut bar = bar.there();
    if let Some(bar) = bar.as_deref_mut().filter(|_| fresh) {
        Active::initialise(x, bar, &mut memory.shadows);
    }
    bar
}

/// Methods without an argument, by their rules.
macro_rules! methods1 {
    ($($name:ident $annotated:ident $push:ident $pull:ident $pull_push:ident;)+) => { $(
        pub trait $name: Place + Sized {
            #[inline(always)]
            fn $annotated(&self) -> &Self {
                self
            }
            #[inline]
            fn $push<A: LinearSpace<Self::Base>>(
                &self,
                dot: impl DotSlot<Self, A>,
                memory: &mut Memory<Self, A>,
            ) -> (<Self as Unary<named::$name>>::Out, Tan<<Self as Unary<named::$name>>::Out, A>)
            where
                Self: Unary<named::$name>,
            {
                One::__push(named::$name, Off, self, dot, memory)
            }
            #[inline]
            fn $pull<A: LinearSpace<Self::Base>, W: Sweeps>(
                &self,
                bar: impl BarSlot<Self, A>,
                y_bar: Option<&mut Tan<<Self as Unary<named::$name>>::Out, A>>,
                memory: &mut Memory<Self, A>,
                sweeps: W,
            ) -> Option<<Self as Unary<named::$name>>::Out>
            where
                Self: Unary<named::$name>,
            {
                One::__pull(named::$name, Off, self, bar, y_bar, memory, sweeps)
            }
            #[inline]
            fn $pull_push<A: LinearSpace<Self::Base>, W: Sweeps>(
                &self,
                dot: impl DotSlot<Self, A>,
                bar: impl BarSlot<Self, Self::Base>,
                bar_dot: impl BarSlot<Self, A>,
                y_bar: Option<&mut Tan<<Self as Unary<named::$name>>::Out, Self::Base>>,
                y_bar_dot: Option<&mut Tan<<Self as Unary<named::$name>>::Out, A>>,
                memory: &mut Memory<Self, A>,
                sweeps: W,
            ) -> Option<(<Self as Unary<named::$name>>::Out, Tan<<Self as Unary<named::$name>>::Out, A>)>
            where
                Self: Unary<named::$name>,
            {
                One::__pull_push(named::$name, Off, Off, Off, self, dot, bar, bar_dot, y_bar, y_bar_dot, memory, sweeps)
            }
        }
    )+ };
}

/// Methods with an argument, by their rules.
macro_rules! methods2 {
    ($($name:ident $annotated:ident $push:ident $pull:ident $pull_push:ident;)+) => { $(
        pub trait $name: Place + Sized {
            #[inline(always)]
            fn $annotated(&self) -> &Self {
                self
            }
            #[inline]
            fn $push<Y: Operand, A: LinearSpace<Self::Base>>(
                &self,
                dot: impl DotSlot<Self, A>,
                other: Y,
                other_dot: impl DotSlot<Y::Of, A>,
                memory: &mut Memory<Self, A>,
            ) -> (<Self as Binary<named::$name, Y::Of>>::Out, Tan<<Self as Binary<named::$name, Y::Of>>::Out, A>)
            where
                Self: Binary<named::$name, Y::Of>,
                Y::Of: Active<Base = Self::Base>,
            {
                Two::__push(named::$name, Off, self, dot, &other.operand(), other_dot, memory)
            }
            #[inline]
            fn $pull<Y: Operand, A: LinearSpace<Self::Base>, W: Sweeps>(
                &self,
                bar: impl BarSlot<Self, A>,
                other: Y,
                other_bar: impl BarSlot<Y::Of, A>,
                y_bar: Option<&mut Tan<<Self as Binary<named::$name, Y::Of>>::Out, A>>,
                memory: &mut Memory<Self, A>,
                sweeps: W,
            ) -> Option<<Self as Binary<named::$name, Y::Of>>::Out>
            where
                Self: Binary<named::$name, Y::Of>,
                Y::Of: Active<Base = Self::Base>,
            {
                Two::__pull(named::$name, Off, self, bar, &other.operand(), other_bar, y_bar, memory, sweeps)
            }
            #[inline]
            fn $pull_push<Y: Operand, A: LinearSpace<Self::Base>, W: Sweeps>(
                &self,
                dot: impl DotSlot<Self, A>,
                bar: impl BarSlot<Self, Self::Base>,
                bar_dot: impl BarSlot<Self, A>,
                other: Y,
                other_dot: impl DotSlot<Y::Of, A>,
                other_bar: impl BarSlot<Y::Of, Self::Base>,
                other_bar_dot: impl BarSlot<Y::Of, A>,
                y_bar: Option<&mut Tan<<Self as Binary<named::$name, Y::Of>>::Out, Self::Base>>,
                y_bar_dot: Option<&mut Tan<<Self as Binary<named::$name, Y::Of>>::Out, A>>,
                memory: &mut Memory<Self, A>,
                sweeps: W,
            ) -> Option<(<Self as Binary<named::$name, Y::Of>>::Out, Tan<<Self as Binary<named::$name, Y::Of>>::Out, A>)>
            where
                Self: Binary<named::$name, Y::Of>,
                Y::Of: Active<Base = Self::Base>,
            {
                Two::__pull_push(
                    named::$name, Off, Off, Off, self, dot, bar, bar_dot, &other.operand(), other_dot, other_bar, other_bar_dot,
                    y_bar, y_bar_dot, memory, sweeps,
                )
            }
        }
    )+ };
}

/// Methods with more arguments: the functions for so many operands, and how the operands beside the receiver are called.
macro_rules! methods {
    ([$push_of:ident $pull_of:ident $pull_push_of:ident] $others:tt: $($name:ident $annotated:ident $push:ident $pull:ident $pull_push:ident;)+) => {
        $(methods! { @one [$push_of $pull_of $pull_push_of] $others $name $annotated $push $pull $pull_push })+
    };
    (@one [$push_of:ident $pull_of:ident $pull_push_of:ident] [$(($X:ident $x:ident $dot:ident $bar:ident $bar_dot:ident))*]
        $name:ident $annotated:ident $push:ident $pull:ident $pull_push:ident) => {
        pub trait $name: Active<Base: Jet> {
            #[inline(always)]
            fn $annotated(&self) -> &Self {
                self
            }
            #[inline]
            fn $push<$($X: Operand,)* A: LinearSpace<Self::Base>>(
                &self,
                dot: impl DotSlot<Self, A>,
                $($x: $X, $dot: impl DotSlot<$X::Of, A>,)*
                memory: &mut Memory<Self, A>,
            ) -> (Out<Self, named::$name, (Self, $($X::Of,)*)>, Tan<Out<Self, named::$name, (Self, $($X::Of,)*)>, A>)
            where
                Self: Formula<named::$name, (Self, $($X::Of,)*), Out: Active<Base = Self::Base>>,
                $($X::Of: Active<Base = Self::Base>,)*
            {
                $(let $x = $x.operand();)*
                $push_of::<Self, named::$name, _, $($X::Of,)* _, _>(self, dot.there(), $(&$x, $dot.there(),)* memory)
            }
            #[inline]
            fn $pull<$($X: Operand,)* A: LinearSpace<Self::Base>, W: Sweeps>(
                &self,
                mut bar: impl BarSlot<Self, A>,
                $($x: $X, mut $bar: impl BarSlot<$X::Of, A>,)*
                y_bar: Option<&mut Tan<Out<Self, named::$name, (Self, $($X::Of,)*)>, A>>,
                memory: &mut Memory<Self, A>,
                _: W,
            ) -> Option<Out<Self, named::$name, (Self, $($X::Of,)*)>>
            where
                Self: Formula<named::$name, (Self, $($X::Of,)*), Out: Active<Base = Self::Base>>,
                $($X::Of: Active<Base = Self::Base>,)*
            {
                $(let $x = $x.operand();)*
                if W::REVERSE && let Some(y_bar) = y_bar {
                    let bar = begun(self, &mut bar, memory);
                    $(let $bar = begun(&$x, &mut $bar, memory);)*
                    $pull_of::<Self, named::$name, _, $($X::Of,)* _, _>(self, bar, $(&$x, $bar,)* y_bar, memory);
                }
                W::VALUED.then(|| Self::value((self.duplicate(), $($x,)*)))
            }
            #[inline]
            fn $pull_push<$($X: Operand,)* A: LinearSpace<Self::Base>, W: Sweeps>(
                &self,
                dot: impl DotSlot<Self, A>,
                mut bar: impl BarSlot<Self, Self::Base>,
                mut bar_dot: impl BarSlot<Self, A>,
                $(
                    $x: $X,
                    $dot: impl DotSlot<$X::Of, A>,
                    mut $bar: impl BarSlot<$X::Of, Self::Base>,
                    mut $bar_dot: impl BarSlot<$X::Of, A>,
                )*
                y_bar: Option<&mut Tan<Out<Self, named::$name, (Self, $($X::Of,)*)>, Self::Base>>,
                y_bar_dot: Option<&mut Tan<Out<Self, named::$name, (Self, $($X::Of,)*)>, A>>,
                memory: &mut Memory<Self, A>,
                _: W,
            ) -> Option<(Out<Self, named::$name, (Self, $($X::Of,)*)>, Tan<Out<Self, named::$name, (Self, $($X::Of,)*)>, A>)>
            where
                Self: Formula<named::$name, (Self, $($X::Of,)*), Out: Active<Base = Self::Base>>,
                $($X::Of: Active<Base = Self::Base>,)*
                Self::Base: LinearSpace<Self::Base>,
            {
                $(let $x = $x.operand();)*
                if W::REVERSE && let (Some(y_bar), Some(y_bar_dot)) = (y_bar, y_bar_dot) {
                    let bars = bar.there().zip(bar_dot.there());
                    $(let $bar = $bar.there().zip($bar_dot.there());)*
                    $pull_push_of::<Self, named::$name, _, $($X::Of,)* _, _>(
                        self, dot.there(), bars, $(&$x, $dot.there(), $bar,)* y_bar, y_bar_dot, memory,
                    );
                }
                W::VALUED.then(|| {
                    $push_of::<Self, named::$name, _, $($X::Of,)* _, _>(self, dot.there(), $(&$x, $dot.there(),)* memory)
                })
            }
        }
    };
}

/// Functions of a type by their names, likewise.
macro_rules! functions {
    ([$push_of:ident $pull_of:ident $pull_push_of:ident] $operands:tt: $($name:ident $push:ident $pull:ident $pull_push:ident;)+) => {
        $(functions! { @one [$push_of $pull_of $pull_push_of] $operands $name $push $pull $pull_push })+
    };
    (@one [$push_of:ident $pull_of:ident $pull_push_of:ident] [$(($X:ident $x:ident $dot:ident $bar:ident $bar_dot:ident))+]
        $name:ident $push:ident $pull:ident $pull_push:ident) => {
        pub trait $name: Active<Base: Jet> {
            #[inline]
            fn $push<$($X: Operand,)+ A: LinearSpace<Self::Base>>(
                $($x: $X, $dot: impl DotSlot<$X::Of, A>,)+
                memory: &mut Memory<Self, A>,
            ) -> (Out<Self, named::$name, ($($X::Of,)+)>, Tan<Out<Self, named::$name, ($($X::Of,)+)>, A>)
            where
                Self: Formula<named::$name, ($($X::Of,)+), Out: Active<Base = Self::Base>>,
                $($X::Of: Active<Base = Self::Base>,)+
            {
                $(let $x = $x.operand();)+
                $push_of::<Self, named::$name, $($X::Of,)+ _, _>($(&$x, $dot.there(),)+ memory)
            }
            #[inline]
            fn $pull<$($X: Operand,)+ A: LinearSpace<Self::Base>, W: Sweeps>(
                $($x: $X, mut $bar: impl BarSlot<$X::Of, A>,)+
                y_bar: Option<&mut Tan<Out<Self, named::$name, ($($X::Of,)+)>, A>>,
                memory: &mut Memory<Self, A>,
                _: W,
            ) -> Option<Out<Self, named::$name, ($($X::Of,)+)>>
            where
                Self: Formula<named::$name, ($($X::Of,)+), Out: Active<Base = Self::Base>>,
                $($X::Of: Active<Base = Self::Base>,)+
            {
                $(let $x = $x.operand();)+
                if W::REVERSE && let Some(y_bar) = y_bar {
                    $(let $bar = begun(&$x, &mut $bar, memory);)+
                    $pull_of::<Self, named::$name, $($X::Of,)+ _, _>($(&$x, $bar,)+ y_bar, memory);
                }
                W::VALUED.then(|| Self::value(($($x,)+)))
            }
            #[inline]
            fn $pull_push<$($X: Operand,)+ A: LinearSpace<Self::Base>, W: Sweeps>(
                $(
                    $x: $X,
                    $dot: impl DotSlot<$X::Of, A>,
                    mut $bar: impl BarSlot<$X::Of, Self::Base>,
                    mut $bar_dot: impl BarSlot<$X::Of, A>,
                )+
                y_bar: Option<&mut Tan<Out<Self, named::$name, ($($X::Of,)+)>, Self::Base>>,
                y_bar_dot: Option<&mut Tan<Out<Self, named::$name, ($($X::Of,)+)>, A>>,
                memory: &mut Memory<Self, A>,
                _: W,
            ) -> Option<(Out<Self, named::$name, ($($X::Of,)+)>, Tan<Out<Self, named::$name, ($($X::Of,)+)>, A>)>
            where
                Self: Formula<named::$name, ($($X::Of,)+), Out: Active<Base = Self::Base>>,
                $($X::Of: Active<Base = Self::Base>,)+
                Self::Base: LinearSpace<Self::Base>,
            {
                $(let $x = $x.operand();)+
                if W::REVERSE && let (Some(y_bar), Some(y_bar_dot)) = (y_bar, y_bar_dot) {
                    $(let $bar = $bar.there().zip($bar_dot.there());)+
                    $pull_push_of::<Self, named::$name, $($X::Of,)+ _, _>(
                        $(&$x, $dot.there(), $bar,)+ y_bar, y_bar_dot, memory,
                    );
                }
                W::VALUED.then(|| $push_of::<Self, named::$name, $($X::Of,)+ _, _>($(&$x, $dot.there(),)+ memory))
            }
        }
    };
}

/// The traits, each named like its method or like its function and the number of operands.
#[allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    clippy::too_many_arguments,
    clippy::type_complexity,
    clippy::wrong_self_convention
)]
pub mod traits {
    #[allow(clippy::wildcard_imports)]
    use super::*;

    methods1! {
        conjugate conjugate__annotated conjugate__push conjugate__pull conjugate__pull_push;
        norm norm__annotated norm__push norm__pull norm__pull_push;
        norm_squared norm_squared__annotated norm_squared__push norm_squared__pull norm_squared__pull_push;
        magnitude magnitude__annotated magnitude__push magnitude__pull magnitude__pull_push;
        magnitude_squared magnitude_squared__annotated magnitude_squared__push magnitude_squared__pull magnitude_squared__pull_push;
        normalize normalize__annotated normalize__push normalize__pull normalize__pull_push;
        squared squared__annotated squared__push squared__pull squared__pull_push;
        half half__annotated half__push half__pull half__pull_push;
        exp exp__annotated exp__push exp__pull exp__pull_push;
        ln ln__annotated ln__push ln__pull ln__pull_push;
        try_inverse try_inverse__annotated try_inverse__push try_inverse__pull try_inverse__pull_push;
        inverse inverse__annotated inverse__push inverse__pull inverse__pull_push;
        scalar scalar__annotated scalar__push scalar__pull scalar__pull_push;
        vector vector__annotated vector__push vector__pull vector__pull_push;
        imag imag__annotated imag__push imag__pull imag__pull_push;
        angle angle__annotated angle__push angle__pull angle__pull_push;
        axis axis__annotated axis__push axis__pull axis__pull_push;
        axis_angle axis_angle__annotated axis_angle__push axis_angle__pull axis_angle__pull_push;
        scaled_axis scaled_axis__annotated scaled_axis__push scaled_axis__pull scaled_axis__pull_push;
        to_rotation_matrix to_rotation_matrix__annotated to_rotation_matrix__push to_rotation_matrix__pull to_rotation_matrix__pull_push;
        euler_angles euler_angles__annotated euler_angles__push euler_angles__pull euler_angles__pull_push;
        into_inner into_inner__annotated into_inner__push into_inner__pull into_inner__pull_push;
        quaternion quaternion__annotated quaternion__push quaternion__pull quaternion__pull_push;
        to_homogeneous to_homogeneous__annotated to_homogeneous__push to_homogeneous__pull to_homogeneous__pull_push;
        to_matrix to_matrix__annotated to_matrix__push to_matrix__pull to_matrix__pull_push;
        matrix matrix__annotated matrix__push matrix__pull matrix__pull_push;
        transpose transpose__annotated transpose__push transpose__pull transpose__pull_push;
        cos_angle cos_angle__annotated cos_angle__push cos_angle__pull cos_angle__pull_push;
        sin_angle sin_angle__annotated sin_angle__push sin_angle__pull sin_angle__pull_push;
        trace trace__annotated trace__push trace__pull trace__pull_push;
        xy xy__annotated xy__push xy__pull xy__pull_push;
        xz xz__annotated xz__push xz__pull xz__pull_push;
        yz yz__annotated yz__push yz__pull yz__pull_push;
        xyz xyz__annotated xyz__push xyz__pull xyz__pull_push;
        product product__annotated product__push product__pull product__pull_push;
        max max__annotated max__push max__pull max__pull_push;
        min min__annotated min__push min__pull min__pull_push;
        amax amax__annotated amax__push amax__pull amax__pull_push;
        amin amin__annotated amin__push amin__pull amin__pull_push;
        abs abs__annotated abs__push abs__pull abs__pull_push;
        cross_matrix cross_matrix__annotated cross_matrix__push cross_matrix__pull cross_matrix__pull_push;
        mean mean__annotated mean__push mean__pull mean__pull_push;
        variance variance__annotated variance__push variance__pull variance__pull_push;
        row_sum row_sum__annotated row_sum__push row_sum__pull row_sum__pull_push;
        column_sum column_sum__annotated column_sum__push column_sum__pull column_sum__pull_push;
        clone_owned clone_owned__annotated clone_owned__push clone_owned__pull clone_owned__pull_push;
        sum sum__annotated sum__push sum__pull sum__pull_push;
    }
    methods2! {
        dot dot__annotated dot__push dot__pull dot__pull_push;
        inner inner__annotated inner__push inner__pull inner__pull_push;
        outer outer__annotated outer__push outer__pull outer__pull_push;
        powf powf__annotated powf__push powf__pull powf__pull_push;
        angle_to angle_to__annotated angle_to__push angle_to__pull angle_to__pull_push;
        rotation_to rotation_to__annotated rotation_to__push rotation_to__pull rotation_to__pull_push;
        transform_point transform_point__annotated transform_point__push transform_point__pull transform_point__pull_push;
        transform_vector transform_vector__annotated transform_vector__push transform_vector__pull transform_vector__pull_push;
        inverse_transform_point inverse_transform_point__annotated inverse_transform_point__push inverse_transform_point__pull inverse_transform_point__pull_push;
        inverse_transform_vector inverse_transform_vector__annotated inverse_transform_vector__push inverse_transform_vector__pull inverse_transform_vector__pull_push;
        inverse_transform_unit_vector inverse_transform_unit_vector__annotated inverse_transform_unit_vector__push inverse_transform_unit_vector__pull inverse_transform_unit_vector__pull_push;
        inv_mul inv_mul__annotated inv_mul__push inv_mul__pull inv_mul__pull_push;
        component_mul component_mul__annotated component_mul__push component_mul__pull component_mul__pull_push;
        component_div component_div__annotated component_div__push component_div__pull component_div__pull_push;
        metric_distance metric_distance__annotated metric_distance__push metric_distance__pull metric_distance__pull_push;
        tr_dot tr_dot__annotated tr_dot__push tr_dot__pull tr_dot__pull_push;
        tr_mul tr_mul__annotated tr_mul__push tr_mul__pull tr_mul__pull_push;
        add_scalar add_scalar__annotated add_scalar__push add_scalar__pull add_scalar__pull_push;
        scale scale__annotated scale__push scale__pull scale__pull_push;
        unscale unscale__annotated unscale__push unscale__pull unscale__pull_push;
        inf inf__annotated inf__push inf__pull inf__pull_push;
        sup sup__annotated sup__push sup__pull sup__pull_push;
        cross cross__annotated cross__push cross__pull cross__pull_push;
        append_axisangle_linearized append_axisangle_linearized__annotated append_axisangle_linearized__push append_axisangle_linearized__pull append_axisangle_linearized__pull_push;
        push push__annotated push__push push__pull push__pull_push;
        project project__annotated project__push project__pull project__pull_push;
        angle_with angle__annotated angle__push angle__pull angle__pull_push;
    }
    methods! { [push3 pull3 pull_push3] [(X1 x1 dot1 bar1 bar_dot1) (X2 x2 dot2 bar2 bar_dot2)]:
        lerp lerp__annotated lerp__push lerp__pull lerp__pull_push;
        slerp slerp__annotated slerp__push slerp__pull slerp__pull_push;
        nlerp nlerp__annotated nlerp__push nlerp__pull nlerp__pull_push;
        lerp_slerp lerp_slerp__annotated lerp_slerp__push lerp_slerp__pull lerp_slerp__pull_push;
    }
    functions! { [push1 pull1 pull_push1] [(X0 x0 dot0 bar0 bar_dot0)]:
        from_scaled_axis_of_1 from_scaled_axis__push from_scaled_axis__pull from_scaled_axis__pull_push;
        new_of_1 new__push new__pull new__pull_push;
        from_quaternion_of_1 from_quaternion__push from_quaternion__pull from_quaternion__pull_push;
        new_normalize_of_1 new_normalize__push new_normalize__pull new_normalize__pull_push;
        new_unchecked_of_1 new_unchecked__push new_unchecked__pull new_unchecked__pull_push;
        from_rotation_matrix_of_1 from_rotation_matrix__push from_rotation_matrix__pull from_rotation_matrix__pull_push;
        from_matrix_unchecked_of_1 from_matrix_unchecked__push from_matrix_unchecked__pull from_matrix_unchecked__pull_push;
        from_angle_of_1 from_angle__push from_angle__pull from_angle__pull_push;
        from_imag_of_1 from_imag__push from_imag__pull from_imag__pull_push;
        from_real_of_1 from_real__push from_real__pull from_real__pull_push;
        from_of_1 from__push from__pull from__pull_push;
        rotation_of_1 rotation__push rotation__pull rotation__pull_push;
        from_vector_of_1 from_vector__push from_vector__pull from_vector__pull_push;
    }
    functions! { [push2 pull2 pull_push2] [(X0 x0 dot0 bar0 bar_dot0) (X1 x1 dot1 bar1 bar_dot1)]:
        from_axis_angle_of_2 from_axis_angle__push from_axis_angle__pull from_axis_angle__pull_push;
        rotation_between_of_2 rotation_between__push rotation_between__pull rotation_between__pull_push;
        face_towards_of_2 face_towards__push face_towards__pull face_towards__pull_push;
        look_at_rh_of_2 look_at_rh__push look_at_rh__pull look_at_rh__pull_push;
        look_at_lh_of_2 look_at_lh__push look_at_lh__pull look_at_lh__pull_push;
        from_parts_of_2 from_parts__push from_parts__pull from_parts__pull_push;
        new_of_2 new__push new__pull new__pull_push;
        from_cos_sin_unchecked_of_2 from_cos_sin_unchecked__push from_cos_sin_unchecked__pull from_cos_sin_unchecked__pull_push;
        rotation_wrt_point_of_2 rotation_wrt_point__push rotation_wrt_point__pull rotation_wrt_point__pull_push;
        translation_of_2 translation__push translation__pull translation__pull_push;
    }
    functions! { [push3 pull3 pull_push3] [(X0 x0 dot0 bar0 bar_dot0) (X1 x1 dot1 bar1 bar_dot1) (X2 x2 dot2 bar2 bar_dot2)]:
        from_euler_angles_of_3 from_euler_angles__push from_euler_angles__pull from_euler_angles__pull_push;
        new_of_3 new__push new__pull new__pull_push;
        translation_of_3 translation__push translation__pull translation__pull_push;
        look_at_rh_of_3 look_at_rh__push look_at_rh__pull look_at_rh__pull_push;
        look_at_lh_of_3 look_at_lh__push look_at_lh__pull look_at_lh__pull_push;
        face_towards_of_3 face_towards__push face_towards__pull face_towards__pull_push;
    }
    functions! { [push4 pull4 pull_push4] [(X0 x0 dot0 bar0 bar_dot0) (X1 x1 dot1 bar1 bar_dot1) (X2 x2 dot2 bar2 bar_dot2) (X3 x3 dot3 bar3 bar_dot3)]:
        new_of_4 new__push new__pull new__pull_push;
    }
}

/// Calls a macro with the names of all traits and operations.
macro_rules! all {
    ($callback:ident) => { $callback! {
        conjugate norm norm_squared magnitude magnitude_squared normalize squared half exp ln try_inverse inverse scalar vector
        imag angle axis axis_angle scaled_axis to_rotation_matrix euler_angles into_inner quaternion to_homogeneous to_matrix
        matrix transpose cos_angle sin_angle trace xy xz yz xyz product max min amax amin abs cross_matrix mean variance row_sum
        column_sum clone_owned sum dot inner outer powf angle_to rotation_to transform_point transform_vector
        inverse_transform_point inverse_transform_vector inverse_transform_unit_vector inv_mul component_mul component_div
        metric_distance tr_dot tr_mul add_scalar scale unscale inf sup cross append_axisangle_linearized push project angle_with
        lerp slerp nlerp lerp_slerp from_scaled_axis_of_1 new_of_1 from_quaternion_of_1 new_normalize_of_1 new_unchecked_of_1
        from_rotation_matrix_of_1 from_matrix_unchecked_of_1 from_angle_of_1 from_imag_of_1 from_real_of_1 from_of_1
        rotation_of_1 from_vector_of_1 from_axis_angle_of_2 rotation_between_of_2 face_towards_of_2 look_at_rh_of_2
        look_at_lh_of_2 from_parts_of_2 new_of_2 from_cos_sin_unchecked_of_2 rotation_wrt_point_of_2 translation_of_2
        from_euler_angles_of_3 new_of_3 translation_of_3 look_at_rh_of_3 look_at_lh_of_3 face_towards_of_3 new_of_4
    } };
}

/// The operations, named likewise.
#[allow(missing_docs, non_camel_case_types)]
pub mod names {
    macro_rules! operations {
        ($($name:ident)+) => { $(
            #[derive(Clone, Copy, Debug)]
            pub struct $name;
        )+ };
    }
    all!(operations);
}

/// The traits without their names: a user's items may have the same.
pub mod unnamed {
    macro_rules! exports {
        ($($name:ident)+) => { $(pub use super::traits::$name as _;)+ };
    }
    all!(exports);
}
