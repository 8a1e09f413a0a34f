//! From cranelift to memory, and calls of what is there.
//!
//! The only `unsafe` code of this crate. What it relies on:
//!
//! - Every part is called with the signature that [`emit::signature`] gave it.
//! - Parts read and write inputs, seeds, outputs, tables and numbers that are kept by their places: at constant offsets, and in loops from
//!   a place on at a stride, each of which `roll.rs` has seen in the source. The slices are as long as the source says, which is checked
//!   before every call; the first phase has no seeds, and does not read any.
//! - Loops over arrays read and write at places that [`Kernel::check`] has found to be within memory of the lengths that they are compiled
//!   for, which are checked before every call.
//! - Finished code is never written again, and lives as long as somebody can call it.

use crate::emit::{Emitter, signature};
use crate::kernel::{Kernel, Writer};
use crate::parts::{ITEM, Plan};
use crate::roll::Rolled;
use crate::stream::{Order, Stream};
use crate::{Error, Float, Instruction, Source};
use cranelift_codegen::ir::Type;
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
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
    /// The second phase, if it is one part: small programs take no longer than a call.
    second: Option<Part<F>>,
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
        if inputs.len() != self.inputs || outputs.len() != self.outputs {
            wrong_lengths();
        }
        self.run(0..self.first, inputs, &[], outputs)
    }

    /// The second phase, after the first one with the same inputs: writes the other outputs.
    ///
    /// # Panics
    ///
    /// If the slices do not have the source's numbers of inputs, seeds and outputs.
    #[inline]
    pub fn second(&mut self, inputs: &[F], seeds: &[F], outputs: &mut [F]) -> bool {
        if inputs.len() != self.inputs || outputs.len() != self.outputs || seeds.len() != self.seeds {
            wrong_lengths();
        }
        match self.second {
            Some(part) => self.call(part, inputs, seeds, outputs) != 0,
            None => self.run(self.first..self.code.parts.len(), inputs, seeds, outputs),
        }
    }

    /// How many bytes it keeps beside the code.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.kept[..]) + size_of_val(&self.code.tables[..])
    }

    /// How long the code is: how many computations, guards and outputs it has, the body of a loop counted once.
    pub fn length(&self) -> usize {
        self.length
    }

    #[inline(never)]
    fn run(&mut self, parts: Range<usize>, x: &[F], seeds: &[F], y: &mut [F]) -> bool {
        let mut held = 1;
        for k in parts {
            held &= self.call(self.code.parts[k], x, seeds, y);
        }
        held != 0
    }

    /// Calls one of its parts. The slices are as long as the source says.
    #[inline]
    fn call(&mut self, part: Part<F>, x: &[F], seeds: &[F], y: &mut [F]) -> u8 {
        let (kept, tables) = (self.kept.as_mut_ptr(), self.code.tables.as_ptr());
        // SAFETY: see the top of this file.
        unsafe { part(x.as_ptr(), seeds.as_ptr(), y.as_mut_ptr(), kept, tables) }
    }
}

#[cold]
#[inline(never)]
fn wrong_lengths() -> ! {
    panic!("slices are as long as the source says");
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

/// Loops as machine code, with memory for their sums.
#[derive(Clone)]
pub struct Loops<F> {
    code: Arc<Code<F>>,
    /// Offsets of places that are listed.
    lists: Arc<[u64]>,
    values: usize,
    adjoints: usize,
    /// How many sums each loop has.
    counts: Arc<[usize]>,
    sums: Vec<F>,
}

impl<F: Float> Loops<F> {
    /// Runs the loop of this number.
    ///
    /// # Panics
    ///
    /// If there is none, or memory has another length than loops were compiled for.
    #[inline]
    pub fn run(&mut self, k: usize, values: &mut [F], adjoints: &mut [F]) {
        assert!(values.len() == self.values && adjoints.len() == self.adjoints, "memory is as long as was said");
        self.sums[..2 * self.counts[k]].fill(F::of(-0.0));
        let Code { parts, tables, .. } = &*self.code;
        let (values, adjoints) = (values.as_mut_ptr().cast_const(), adjoints.as_mut_ptr().cast_const());
        let (lists, sums) = (self.lists.as_ptr().cast::<F>().cast_mut(), self.sums.as_mut_ptr().cast_const());
        // SAFETY: see the top of this file. Lists are offsets, read as what they are; neither they nor tables are written.
        unsafe { parts[k](values, adjoints, lists, tables.as_ptr().cast_mut(), sums) };
    }

    /// How many bytes it keeps beside the code.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.lists) + size_of_val(&self.sums[..]) + size_of_val(&self.code.tables[..])
    }
}

impl<F> Debug for Loops<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loops").field("loops", &self.code.parts.len()).finish_non_exhaustive()
    }
}

/// Compiles loops over arrays of these lengths; `lists` holds the places that are listed.
///
/// # Errors
///
/// If there is no code for this machine, no memory for code, or a loop reads or writes what is not there.
pub fn compile_loops<F: Float>(
    kernels: &[Kernel<F>],
    lists: &[u32],
    values: usize,
    adjoints: usize,
) -> Result<Loops<F>, Error> {
    if values.max(adjoints).max(lists.len()) > MOST {
        return Err(Error::new("the program is too long"));
    }
    kernels.iter().try_for_each(|kernel| kernel.check(lists, values, adjoints))?;
    let (mut tables, mut pool) = (Vec::new(), HashMap::new());
    for value in kernels.iter().flat_map(Kernel::constants) {
        pool.entry(value.bits()).or_insert_with(|| {
            tables.push(value);
            tables.len() as u32 - 1
        });
    }
    let code = assembled(kernels.len(), tables, |k, builder, convention, pointer| {
        Writer::new(&kernels[k], builder, convention, pointer, &pool).write();
    })?;
    let counts: Arc<[usize]> = kernels.iter().map(Kernel::sums).collect();
    let most = counts.iter().max().copied().unwrap_or_default();
    Ok(Loops {
        code: Arc::new(code),
        lists: lists.iter().map(|place| u64::from(*place) * size_of::<F>() as u64).collect(),
        values,
        adjoints,
        counts,
        sums: vec![F::default(); 2 * most],
    })
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
    let mut emitter = None;
    let code = assembled(plan.parts.len(), plan.tables.clone(), |k, builder, convention, pointer| {
        emitter.get_or_insert_with(|| Emitter::new(&plan, convention, pointer)).part(k, builder);
    })?;
    Ok(Function {
        second: Some(&code.parts[plan.first..]).filter(|parts| parts.len() == 1).map(|parts| parts[0]),
        code: Arc::new(code),
        first: plan.first,
        inputs: source.inputs(),
        seeds: source.seeds(),
        outputs: source.outputs.len(),
        length: plan.length(),
        kept: vec![F::default(); plan.kept],
    })
}

/// How long the code of a source would be.
///
/// # Errors
///
/// If the source is too long.
///
/// # Panics
///
/// As [`compile`] does.
pub fn length<F: Float>(source: &Source<F>) -> Result<usize, Error> {
    check(source)?;
    Ok(best(source).length())
}

/// The code of so many parts, each of which is written by a function.
fn assembled<F: Float>(
    count: usize,
    tables: Vec<F>,
    mut write: impl FnMut(usize, FunctionBuilder<'_>, CallConv, Type),
) -> Result<Code<F>, Error> {
    let mut flags = settings::builder();
    for (name, value) in [("opt_level", "speed"), ("enable_verifier", "false"), ("is_pic", "false")] {
        flags.set(name, value).map_err(Error::new)?;
    }
    let flags = settings::Flags::new(flags);
    let isa = cranelift_native::builder().map_err(Error::new)?.finish(flags).map_err(Error::new)?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let (convention, pointer) = (module.isa().default_call_conv(), module.isa().pointer_type());
    let (mut context, mut builders) = (module.make_context(), FunctionBuilderContext::new());
    let mut names = Vec::new();
    for k in 0..count {
        context.func.signature = signature(convention, pointer);
        let name = module.declare_anonymous_function(&context.func.signature).map_err(Error::new)?;
        write(k, FunctionBuilder::new(&mut context.func, &mut builders), convention, pointer);
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
    Ok(Code { parts, tables, module: Some(module) })
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
