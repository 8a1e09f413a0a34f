//! Floats that machine code computes with, if there is any: with the feature `compiled`.

#[cfg(feature = "compiled")]
pub use machine::Native;

/// A float that machine code computes with, if there is any: with the feature `compiled`.
#[cfg(not(feature = "compiled"))]
pub trait Native {}

#[cfg(not(feature = "compiled"))]
impl Native for f32 {}
#[cfg(not(feature = "compiled"))]
impl Native for f64 {}

#[cfg(feature = "compiled")]
mod machine {
    use crate::number::real::Real;
    use diffi_jit::Instruction;

    /// A float that machine code computes with.
    pub trait Native: diffi_jit::Float {
        /// A line of the derivative table, by the standard library's function. Operands are nodes; the exponent of `powi` and other integers are numbers.
        #[doc(hidden)]
        fn call(name: &str, operands: [u32; 3]) -> Instruction<Self>;
    }

    /// Functions with the calling convention of C, which call those of the standard library: the same bits, whoever calls.
    macro_rules! shims {
        ($F:ident $($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
            impl Native for $F {
                fn call(name: &str, [a, b, c]: [u32; 3]) -> Instruction<$F> {
                    let _ = (b, c);
                    $(if name == stringify!($name) {
                        return shims!(@ $F $name $args a b c);
                    })+
                    extern "C" fn rem(a: $F, b: $F) -> $F {
                        a % b
                    }
                    assert_eq!(name, "rem", "everything else has an instruction of its own");
                    Instruction::Call2(rem, a, b)
                }
            }
        };
        // Bounds in order are a guard: nothing may panic here.
        (@ $F:ident clamp ($x:ident, $l:ident, $h:ident) $a:ident $b:ident $c:ident) => {{
            extern "C" fn clamp(x: $F, l: $F, h: $F) -> $F {
                if x < l { l } else if x > h { h } else { x }
            }
            Instruction::Call3(clamp, $a, $b, $c)
        }};
        (@ $F:ident powi ($x:ident; $n:ident: $int:ty) $a:ident $b:ident $c:ident) => {
            Instruction::Powi($a, $b as i32)
        };
        (@ $F:ident $name:ident ($x:ident; $n:ident: $int:ty) $a:ident $b:ident $c:ident) => {{
            extern "C" fn $name(x: $F, n: i32) -> $F {
                <$F as Real>::$name(x, n)
            }
            Instruction::CallWhole($name, $a, $b as i32)
        }};
        (@ $F:ident $name:ident ($x:ident) $a:ident $b:ident $c:ident) => {{
            extern "C" fn $name(x: $F) -> $F {
                <$F as Real>::$name(x)
            }
            Instruction::Call1($name, $a)
        }};
        (@ $F:ident $name:ident ($x:ident, $y:ident) $a:ident $b:ident $c:ident) => {{
            extern "C" fn $name(x: $F, y: $F) -> $F {
                <$F as Real>::$name(x, y)
            }
            Instruction::Call2($name, $a, $b)
        }};
        (@ $F:ident $name:ident ($x:ident, $y:ident, $z:ident) $a:ident $b:ident $c:ident) => {{
            extern "C" fn $name(x: $F, y: $F, z: $F) -> $F {
                <$F as Real>::$name(x, y, z)
            }
            Instruction::Call3($name, $a, $b, $c)
        }};
    }
    diffi_rules::functions!(shims { f32 });
    diffi_rules::functions!(shims { f64 });
}
