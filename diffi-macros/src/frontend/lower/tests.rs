//! Rows: a function, and a piece of the IR that it becomes; or what is said about it.

use crate::frontend::lower;
use crate::ir::print;
use crate::support::options::Options;

/// The IR as text, or the messages, one a line.
fn lowered(arguments: &str, source: &str) -> String {
    let options: Options = syn::parse_str(arguments).expect("the options parse");
    let item: syn::ItemFn = syn::parse_str(source).expect("the function parses");
    match lower::lower(&options, &item, None) {
        Ok(function) => print::function(&function),
        Err(errors) => errors.into_iter().map(|e| format!("{e}\n")).collect(),
    }
}

fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn contains(source: &str, fragments: &[&str]) {
    contains_with("", source, fragments);
}

fn contains_with(arguments: &str, source: &str, fragments: &[&str]) {
    let ir = lowered(arguments, source);
    for fragment in fragments {
        assert!(tidy(&ir).contains(&tidy(fragment)), "`{fragment}` is not in\n{ir}\nof {source}");
    }
}

/// `name: "source" => "fragment", ..;`
macro_rules! rows {
    ($($name:ident: $source:literal => $($fragment:literal),+;)+) => {
        $(#[test] fn $name() { contains($source, &[$($fragment),+]); })+
    };
}

mod expressions {
    use super::*;

    rows! {
        one_operation_a_statement: "fn f(x: f64) -> f64 { x * x + 1.0 }" => "let t_1 = mul x_0, x_0 let t_2 = add t_1, `1.0` t_2";
        a_let_names_the_operation: "fn f(x: f64) -> f64 { let y = x.sin(); y }" => "let y_1 = sin x_0 y_1";
        passive_parts_stay_whole: "fn f(x: f64, n: usize) -> f64 { 0.5 * n as f64 * x }" => "mul `0.5 * n_1 as f64`, x_0";
        calls_in_passive_operands_are_held: "fn f(x: f64) -> f64 { x * weight(3) }" => "let p_1 = `weight(3)` let t_2 = mul x_0, `p_1`";
        constant_parameters_are_passive: "fn f(x: f64, k: i32) -> f64 { x.powi(k - 1) }" => "powi x_0, `k_1 - 1`";
        sin_cos_is_two: "fn f(x: f64) -> f64 { let (s, c) = x.sin_cos(); s / c }" => "let s_1 = sin x_0", "let c_2 = cos x_0";
        functions_by_path: "fn f(x: f64, y: f64) -> f64 { f64::max(x, y) }" => "max x_0, y_1";
        shadowing_makes_new_variables: "fn f(x: f64) -> f64 { let x = x * 2.0; let x = x + 1.0; x }" => "let x_1 = mul x_0, `2.0` let x_2 = add x_1, `1.0` x_2";
        casts_to_integers_are_passive: "fn f(x: f64) -> f64 { let k = x as i64; k as f64 * x }" => "let k_1 = `x_0 as i64` let t_2 = mul `k_1 as f64`, x_0";
        an_active_value_selects_an_index: "fn f(x: &[f64], t: f64) -> f64 { x[(t * 10.0) as usize] }" => "let i_2 = `(t_1 * 10.0) as usize` x_0[i_2]";
        capitals_are_names: "fn f(x: f64) -> f64 { let AREA = x * x; AREA * AREA }" => "let v_AREA_1 = mul x_0, x_0";
        questions_of_calls_are_passive: "fn f(x: f64) -> f64 { let big = is_big(x); if big { x * x } else { x } }" => "let big_2 = `is_big(x_0)`";
        indices_of_calls_are_passive: "fn f(x: &[f64]) -> f64 { let i = cell(x[0]); let j = i + 1; x[i] * x[j] }" => "`cell(x_0[0])`";
        arms_of_calls_are_passive: "fn f(x: f64) -> f64 { match kind(x) { Kind::A => x * x, Kind::B => x } }" => "kind(x_0)";
        numbers_of_calls_are_active: "fn f(x: f64) -> f64 { let y = g(x); if y > 1.0 { y * x } else { x } }" => "let y_2 = call g(x_0)";
        integers_of_calls_are_assigned: "fn f(x: &[f64]) -> f64 { let mut a = [0.0; 8]; let mut n = fill(x, &mut a); n = fill(&x[..n], &mut a); a[n - 1] }" => " = call fill(&x_0[";
        casts_of_calls_are_integers: "fn f(x: &[f64]) -> f64 { let n = count(x); x[0] / n as f64 }" => "let p_2 = `__d::integer(n_1) as f64`";
        calls_of_annotated_functions: "fn f(x: &[f64]) -> f64 { h(x, 3) * g(x[0], &[x[1], 2.0]) }" => "let h_1 = call h(&x_0, `3`)", "let a_2 = [x_0[1], `2.0`] let g_3 = call g(x_0[0], &a_2)";
        passive_calls_stay: "fn f(x: f64, n: usize) -> f64 { let w = table(n); x * w }" => "let w_2 = `table(n_1)`";
        generic_floats: "fn f<T: Float>(x: T) -> T { x * T::from(2.0).unwrap() }" => "`T::from(2.0).unwrap()`";
    }
}

mod statements {
    use super::*;

    rows! {
        accumulation: "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for i in 0..x.len() { s += x[i]; } s }" => "for i_4 in `0`..`n_3` { s_1 += x_0[i_4] }";
        scaling: "fn f(x: f64) -> f64 { let mut y = x; y *= 3.0; y }" => "let y_1 = x_0 let t_2 = mul y_1, `3.0` y_1 = t_2";
        a_variable_becomes_active_later: "fn f(x: f64) -> f64 { let mut v = vec![0.0; 3]; v[1] = x; v[1] }" => "let v_1 = vec[`0.0`; `3`] v_1[1] = x_0";
        passive_scalars_are_assigned: "fn f(x: f64) -> f64 { let mut k = 1; k += 2; x * k as f64 }" => "k_1 = `k_1 + 2`";
        exchange: "fn f(x: f64, y: f64) -> f64 { let (mut a, mut b) = (x, y); (a, b) = (b, a); a / b }" => "let t_4 = b_3 let t_5 = a_2 a_2 = t_4 b_3 = t_5";
        asserts_run_once: "fn f(x: f64) -> f64 { assert!(x > 0.0, \"{x}\"); x }" => "effect `assert !(x_0 > 0.0, \"{x}\", x = x_0) ;`";
        pushes: "fn f(x: f64) -> Vec<f64> { let mut v = Vec::new(); v.push(x * x); v }" => "let v_1 = vec[] let t_2 = mul x_0, x_0 push v_1 t_2";
        swaps: "fn f(x: &mut [f64]) { x.swap(0, 1); }" => "swap x_0[0] x_0[1]";
        options_are_flag_and_content: "fn f(x: f64) -> f64 { let mut v: Option<f64> = None; v = Some(x); v.unwrap_or(1.0) }" => "let v_1 = `0.0` let v_is_some_2 = `false`", "v_1 = x_0 v_is_some_2 = `true`";
    }
}

mod places {
    use super::*;

    rows! {
        references_are_names: "fn f(m: &[[f64; 2]], i: usize) -> f64 { let row = &m[i]; row[1] }" => "m_0[i_1][1]";
        names_do_not_follow_their_index: "fn f(x: &[f64]) -> f64 { let mut i = 0; let r = &x[i..i + 2]; i += 1; r[0] * x[i] }" => "let lo_2 = `i_1`", "mul x_0[lo_2..hi_3][0], x_0[i_1]";
        halves: "fn f(x: &[f64]) -> f64 { let (a, b) = x.split_at(2); a[0] * b[0] }" => "mul x_0[0], x_0[2..][0]";
        slice_patterns: "fn f(x: &[f64]) -> f64 { let &[a, b] = x else { panic!() }; a * b }" => "let c_1 = `!(x_0.len() == 2)`", "let a_2 = x_0[0] let b_3 = x_0[1]";
        elements_of_windows: "fn f(x: &[f64]) -> f64 { x.windows(2).map(|w| w[1] - w[0]).sum() }" => "sub x_0[k_3 + 1], x_0[k_3]";
        parameter_patterns: "fn f((a, b): (f64, f64), [c]: [f64; 1]) -> f64 { a * b + c }" => "mul arg0_0.0, arg0_0.1", "arg1_1[0]";
        the_value_before_a_change: "fn f(x: &mut [f64]) -> f64 { let a = x[0]; x[0] = 2.0; a * x[0] }" => "let a_1 = x_0[0] x_0[0] = `2.0` let t_2 = mul a_1, x_0[0]";
    }
}

mod control {
    use super::*;

    rows! {
        the_last_if_assigns_the_result: "fn f(x: f64) -> f64 { if x > 0.0 { x } else { -x } }" => "declare result_1 let c_2 = `x_0 > 0.0` if `c_2` { result_1 = x_0 } else { let t_3 = neg x_0 result_1 = t_3 }";
        early_return: "fn f(x: f64) -> f64 { if x < 0.0 { return 0.0; } x.sqrt() }" => "if `c_3` { result_1 = `0.0` } else { let t_4 = sqrt x_0 result_1 = t_4 }";
        return_in_a_loop: "fn f(x: &[f64]) -> f64 { for v in x { if *v > 1.0 { return *v; } } 0.0 }" => "until done_3", "returned_2 = `true`", "`!(returned_2)`";
        continue_skips_the_rest: "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for i in 0..3 { if i == 1 { continue; } s += x[i]; } s }" => "if `! c_5` { s_1 += x_0[i_3] }";
        break_leaves: "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += v; if s > 1.0 { break; } } s }" => "until done_2 { s_1 += x_0[k_4]", "done_2 = `true`";
        labels: "fn f(x: &[f64]) -> f64 { let mut s = 0.0; 'a: for u in x { for v in x { if v > u { continue 'a; } s += v; } } s }" => "for k_8 in `0`..`n_7` until done_6";
        integers_switch: "fn f(x: f64, n: u8) -> f64 { match n { 0 => 1.0, 1 | 2 => x, _ => x * x } }" => "switch `n_1` 1 | 2 { result_2 = x_0 }";
        floats_are_tested: "fn f(x: f64) -> f64 { match x { v if v < 0.0 => -v, v => v * v } }" => "let c_2 = `x_0 < 0.0`";
        found_positions: "fn f(x: &[f64]) -> f64 { match x.iter().position(|&v| v < 0.0) { Some(k) => x[k], None => 0.0 } }" => "Some(k_2) { result_1 = x_0[k_2] }";
        while_keeps_its_condition: "fn f(x: f64) -> f64 { let mut y = x; while y > 1.0 { y *= 0.5; } y }" => "`y_1 > 1.0` {";
        a_value_behind_a_jump: "fn f(x: &[f64], k: Option<usize>) -> f64 { let y = match k { Some(k) => x[k], None => return 0.0 }; y * y }" => "Some(k_4) { let y_5 = x_0[k_4] let t_6 = mul y_5, y_5 result_2 = t_6 }";
    }
}

mod closures {
    use super::*;

    rows! {
        closures_are_inlined: "fn f(x: f64) -> f64 { let g = |a: f64| a * x; g(x) + g(2.0) }" => "let t_1 = mul x_0, x_0 let a_2 = `2.0` let t_3 = mul `a_2`, x_0";
        closures_change_what_they_capture: "fn f(x: &[f64]) -> f64 { let mut s = 0.0; let mut add = |v: f64| s += v; add(x[0]); add(x[1]); s }" => "s_1 += x_0[0] s_1 += x_0[1]";
        indices_are_read_when_they_are_used: "fn f(x: &[f64]) -> f64 { let mut i = 0; let mut n = || { i += 1; i }; x[n()] * x[n()] }" => "let t_2 = x_0[i_1]", "mul t_2, x_0[i_1]";
        conditions_call_them: "fn f(x: f64) -> f64 { let g = |a| a * x; if g(1.0) > 2.0 { x } else { 1.0 } }" => "{ let(a,) :(_,) =(1.0,) ; a * x_0 } > 2.0";
    }
}

mod iterators {
    use super::*;

    rows! {
        sums: "fn f(x: &[f64]) -> f64 { x.iter().map(|v| v * v).sum() }" => "let sum_1 = `- 0.0`", "sum_1 += t_4";
        zips: "fn f(x: &[f64], y: &[f64]) -> f64 { x.iter().zip(y).map(|(a, b)| a * b).sum() }" => "let n_4 = `x_0.len().min(y_1.len())`", "mul x_0[k_5], y_1[k_5]";
        enumerations_count: "fn f(x: &[f64]) -> f64 { x.iter().enumerate().map(|(i, v)| i as f64 * v).sum() }" => "mul `i_3 as f64`, x_0[i_3]";
        reversed_ranges: "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for i in (1..4).rev() { s = s * 2.0 + x[i]; } s }" => "for i_3 in `1`..`4` down {";
        filters_are_conditions: "fn f(x: &[f64]) -> f64 { x.iter().filter(|v| **v > 0.0).sum() }" => "let c_4 = `x_0[k_3] > 0.0`";
        kept_values: "fn f(x: &[f64]) -> f64 { x.iter().filter_map(|&v| if v > 0.0 { Some(v.ln()) } else { None }).sum() }" => "if `c_4` { let t_5 = ln x_0[k_3] sum_1 += t_5 }";
        leading_runs_are_counted: "fn f(x: &[f64]) -> f64 { x.iter().take_while(|v| **v > 0.0).sum() }" => "let run_2 = `__d::answer(x_0.iter().take_while(| v | * * v > 0.0).count())`";
        collections_of_known_length: "fn f(x: &[f64]) -> Vec<f64> { x.iter().map(|v| v + 1.0).collect() }" => "let v_2 = vec[`0.0`; `n_1`]", "v_2[k_3] = t_4";
        collections_of_tuples: "fn f(x: &[f64]) -> Vec<(f64, f64)> { x.iter().map(|&v| (v, v * v)).collect() }" => "push v_2 pair_5";
        the_largest_is_selected: "fn f(x: &[f64]) -> f64 { x.iter().copied().fold(f64::MIN, f64::max) }" => "v_3 = x_0[at_1]";
        folds_of_tuples: "fn f(x: &[f64]) -> (f64, f64) { x.iter().fold((0.0, 1.0), |(s, p), v| (s + v, p * v)) }" => "acc_0_1 = t_5 acc_1_2 = t_6";
        passive_chains_stay: "fn f(x: &[f64]) -> f64 { let n = x.iter().filter(|v| **v > 0.0).count(); x[n] }" => "let n_1 = `__d::answer(x_0.iter().filter(| v | * * v > 0.0).count())`";
        sorting_moves_by_a_permutation: "fn f(x: &[f64]) -> f64 { let mut v = x.to_vec(); v.sort_by(|a, b| a.total_cmp(b)); v[0] }" => "v_1[k_5] = old_3[from_6]";
    }
}

mod refusals {
    use super::*;

    rows! {
        async_functions: "async fn f(x: f64) -> f64 { x }" => "`async fn`";
        bits: "fn f(x: f64) -> f64 { let i = x.to_bits() >> 1; f64::from_bits(i) * x }" => "no derivative through `to_bits`";
        unsafe_blocks: "fn f(x: f64) -> f64 { unsafe { g(x) } }" => "no derivative through `unsafe`";
        raw_pointers: "fn f(x: f64) -> f64 { let p = &x as *const f64; x }" => "a raw pointer";
        unknown_macros: "fn f(x: f64) -> f64 { square!(x) }" => "`square!` mentions an active value";
        functions_in_data: "fn f(s: &Solver, x: f64) -> f64 { (s.g)(x) }" => "the derivative of this function is unknown";
        functions_assigned_to: "fn f(x: f64) -> f64 { let mut g: fn(f64) -> f64 = sin; g = cos; g(x) }" => "a function that is assigned to";
        question_marks: "fn f(x: f64) -> f64 { let r = g(x)?; r }" => "no derivative through `?`";
        other_floats: "fn f(x: f64) -> f64 { (x as f32) as f64 }" => "one function is of one float type";
        active_bounds: "fn f(x: f64) -> f64 { let mut s = x; for _ in 0..x { s += 1.0; } s }" => "a loop bound must not carry a derivative";
        stored_in_a_constant: "fn f(x: f64, n: &mut [usize], i: usize) -> f64 { n[i] = 1; x }" => "effect";
        iterators_run_in_parts: "fn f(x: &[f64]) -> f64 { let mut it = x.iter().filter(|v| **v > 0.0); let a: f64 = it.by_ref().map(|v| v * v).sum(); a + it.sum::<f64>() }" => "an iterator in a variable is run in parts";
        all_are_reported: "fn f(x: f64) -> f64 { one!(x) + two!(x) }" => "`one!` mentions", "`two!` mentions";
        questions_of_users: "fn f(m: &Model, x: f64) -> f64 { if m.all(x) { x } else { 0.0 } }" => "`__d::answer(m_0.all(x_1))`";
    }

    #[test]
    fn options_name_parameters() {
        contains_with("constant(k)", "fn f(x: f64) -> f64 { x }", &["this function has no parameter `k`"]);
    }

    #[test]
    fn constants_stay_constant() {
        let source = "fn f(x: f64, out: &mut [f64]) { out[0] = x; }";
        contains_with("constant(out)", source, &["an active value is stored in `out`"]);
    }
}
