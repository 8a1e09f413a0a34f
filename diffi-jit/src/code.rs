//! From cranelift to memory, and calls of what is there.
//!
//! The only `unsafe` code of this crate. What it relies on:
//!
//! - Every part is called with the signature that [`emit::signature`] gave it.
//! - Parts read and write inputs, seeds, outputs, tables and numbers that are kept by their places: at constant offsets, and in loops from
//!   a place on at a stride, each of which `roll.rs` has seen in the source. The slices are as long as the source says, which is checked
//!   before every call; the first phase has no seeds, and does not read any.
//! - Finished code is never written again, and lives as long as somebody can call it.

use crate::emit::{Emitter, signature};
use crate::parts::{ITEM, Plan};
use crate::roll::Rolled;
use crate::stream::{Order, Stream};
use crate::{Error, Float, Instruction, Source};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use std::fmt::{self, Debug, Formatter};
use std::slice::SliceIndex;
use std::sync::Arc;

/// A part: from inputs, seeds and tables to outputs and what is kept; 1 if all guards held.
type Part<F> = unsafe extern "C" fn(*const F, *const F, *mut F, *mut F, *const F) -> u8;

/// More instructions than offsets can tell apart.
const MOST: usize = 1 << 27;

/// The code of all parts, and the memory where it stands.
struct Code<F> {
    parts: Vec<Part<F>>,
    tables: Vec<F>,
    module: Option<JITModule>,
}

// SAFETY: the module is only touched when it is dropped, by whoever is last; parts are code that nobody writes.
unsafe impl<F> Send for Code<F> {}
unsafe impl<F> Sync for Code<F> {}

impl<F> Drop for Code<F> {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: `parts` stands beside the module, and both end here.
            unsafe { module.free_memory() };
        }
    }
}

/// A source as machine code, with memory for what its parts hand to each other.
#[derive(Clone)]
pub struct Function<F> {
    code: Arc<Code<F>>,
    first: usize,
    inputs: usize,
    seeds: usize,
    outputs: usize,
    length: usize,
    kept: Vec<F>,
}

impl<F: Float> Function<F> {
    /// The first phase: writes the outputs among its instructions. Whether all of its guards held; if not, outputs are not defined.
    ///
    /// # Panics
    ///
    /// If the slices do not have the source's numbers of inputs and outputs.
    #[inline]
    pub fn first(&mut self, inputs: &[F], outputs: &mut [F]) -> bool {
        self.run(..self.first, inputs, &[], outputs)
    }

    /// The second phase, after the first one with the same inputs: writes the other outputs.
    ///
    /// # Panics
    ///
    /// If the slices do not have the source's numbers of inputs, seeds and outputs.
    #[inline]
    pub fn second(&mut self, inputs: &[F], seeds: &[F], outputs: &mut [F]) -> bool {
        assert_eq!(seeds.len(), self.seeds, "slices are as long as the source says");
        self.run(self.first.., inputs, seeds, outputs)
    }

    /// How many bytes it keeps beside the code.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.kept[..]) + size_of_val(&self.code.tables[..])
    }

    /// How long the code is: how many computations, guards and outputs it has, the body of a loop counted once.
    pub fn length(&self) -> usize {
        self.length
    }

    #[inline]
    fn run(
        &mut self,
        parts: impl SliceIndex<[Part<F>], Output = [Part<F>]>,
        x: &[F],
        seeds: &[F],
        y: &mut [F],
    ) -> bool {
        assert!(x.len() == self.inputs && y.len() == self.outputs, "slices are as long as the source says");
        let mut held = 1;
        for part in &self.code.parts[parts] {
            // SAFETY: see the top of this file.
            held &= unsafe {
                part(x.as_ptr(), seeds.as_ptr(), y.as_mut_ptr(), self.kept.as_mut_ptr(), self.code.tables.as_ptr())
            };
        }
        held != 0
    }
}

impl<F> Debug for Function<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function")
            .field("parts", &self.code.parts.len())
            .field("inputs", &self.inputs)
            .field("outputs", &self.outputs)
            .finish_non_exhaustive()
    }
}

/// Compiles a source.
///
/// # Errors
///
/// If there is no code for this machine, or no memory for code.
///
/// # Panics
///
/// If an operand, an output or a guard names no earlier instruction, or a part of the first phase one of the second.
pub fn compile<F: Float>(source: &Source<F>) -> Result<Function<F>, Error> {
    check(source)?;
    let plan = best(source);
    let mut flags = settings::builder();
    for (name, value) in [("opt_level", "speed"), ("enable_verifier", "false"), ("is_pic", "false")] {
        flags.set(name, value).map_err(Error::new)?;
    }
    let flags = settings::Flags::new(flags);
    let isa = cranelift_native::builder().map_err(Error::new)?.finish(flags).map_err(Error::new)?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let (convention, pointer) = (module.isa().default_call_conv(), module.isa().pointer_type());
    let mut emitter = Emitter::new(&plan, convention, pointer);
    let (mut context, mut builders) = (module.make_context(), FunctionBuilderContext::new());
    let mut names = Vec::new();
    for k in 0..plan.parts.len() {
        context.func.signature = signature(convention, pointer);
        let name = module.declare_anonymous_function(&context.func.signature).map_err(Error::new)?;
        emitter.part(k, FunctionBuilder::new(&mut context.func, &mut builders));
        module.define_function(name, &mut context).map_err(Error::new)?;
        module.clear_context(&mut context);
        names.push(name);
    }
    module.finalize_definitions().map_err(Error::new)?;
    let part = |name| {
        let address = module.get_finalized_function(name);
        // SAFETY: the function was declared with the signature of a part.
        unsafe { std::mem::transmute::<*const u8, Part<F>>(address) }
    };
    let parts = names.into_iter().map(part).collect();
    let length = plan.length();
    Ok(Function {
        code: Arc::new(Code { parts, tables: plan.tables, module: Some(module) }),
        first: plan.first,
        inputs: source.inputs(),
        seeds: source.seeds(),
        outputs: source.outputs.len(),
        length,
        kept: vec![F::default(); plan.kept],
    })
}

/// The order that makes the cheapest code.
fn best<F: Float>(source: &Source<F>) -> Plan<'_, F> {
    let plan = |order| Plan::new(source, Rolled::new(source, Stream::new(source, order)));
    let asked = plan(Order::Asked);
    // A sixteenth is as good as nothing.
    if asked.cost() * 16 <= source.instructions.len() * ITEM {
        return asked;
    }
    let given = plan(Order::Given);
    if asked.cost() < given.cost() { asked } else { given }
}

/// Whether every node is there when it is asked for: what the parts' accesses rely on.
fn check<F: Float>(source: &Source<F>) -> Result<(), Error> {
    let n = source.instructions.len();
    if n.max(source.outputs.len()) > MOST {
        return Err(Error::new("the program is too long"));
    }
    assert!(source.second <= n, "the second phase starts within the source");
    for (at, instruction) in source.instructions.iter().enumerate() {
        assert!(at >= source.second || !matches!(instruction, Instruction::Seed), "seeds come in the second phase");
        instruction.operands().iter().for_each(|node| assert!((*node as usize) < at, "operands come before"));
    }
    assert!(source.outputs.iter().all(|node| (*node as usize) < n), "outputs are instructions");
    assert!(source.guards.iter().all(|guard| guard.place() < n), "guards look at instructions");
    Ok(())
}
