//! What is evaluated once, and in Rust's order: places, arguments, and arguments of which nothing is made.

#![allow(clippy::all, unused)] // what is odd is what is tested

use crate::changing::{State, grow, step};
use crate::check::sound;
use diffi::prelude::*;

// Places.

#[differentiable]
fn placed_set(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut s = x[0];
    w[{
        s += x[1];
        1
    }] = s;
    w[1] * s
}

#[differentiable]
fn placed_mul(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut s = x[0];
    w[{
        s += x[1];
        1
    }] *= s;
    w[1] * s
}

#[differentiable]
fn placed_add(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut s = x[0];
    w[{
        s *= x[1];
        1
    }] += s;
    w[1] * s
}

#[differentiable]
fn placed_field(x: &[f64]) -> f64 {
    let mut w = vec![State { a: x[0], b: x[1] }];
    let mut s = x[0];
    w[{
        s *= x[1];
        0
    }]
    .a = s;
    w[0].energy() * s
}

#[differentiable]
fn placed_nested(x: &[f64]) -> f64 {
    let mut w = [[x[0], x[1]], [x[2], x[0]]];
    let mut s = x[2];
    w[{
        s *= x[1];
        1
    }][{
        s *= s;
        0
    }] -= s;
    w[1][0] * s
}

#[differentiable]
fn placed_index(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut i = 0;
    w[{
        i += 1;
        i
    }] = x[i] * x[2];
    w[i] * w[1]
}

#[differentiable]
fn placed_pair(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut s = x[0];
    (
        w[{
            s += x[1];
            1
        }],
        w[2],
    ) = (s, s * s);
    w[1] * w[2] * s
}

#[differentiable]
fn placed_read(x: &[f64]) -> f64 {
    let mut s = x[0];
    let y = x[{
        s += x[1];
        1
    }] * s;
    let z = s * x[{
        s *= s;
        2
    }];
    y * z * s
}

#[differentiable]
fn placed_self_rhs(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut i = 0;
    w[i] = {
        i += 1;
        x[i] * x[0]
    };
    w[0] * w[1]
}

#[differentiable]
fn placed_step(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut s = x[0];
    w[if step(&mut s, x[1]) > 0.0 { 1 } else { 0 }] = s;
    w[1] * s
}

#[differentiable]
fn placed_deref(x: &[f64]) -> f64 {
    let mut a = x[0];
    let mut s = x[1];
    *{
        s *= x[2];
        &mut a
    } = s;
    a * s
}

#[differentiable]
fn placed_array_move(x: &[f64]) -> f64 {
    let mut rows = vec![[0.0; 2]; 2];
    let mut r = [x[0], x[1]];
    rows[{
        r[0] *= x[2];
        1
    }] = r;
    rows[1][0] * r[0]
}

#[differentiable]
fn placed_args(x: &[f64]) -> f64 {
    let mut s = x[0];
    two(
        s,
        {
            s *= x[1];
            s
        },
        s,
    )
}

#[differentiable]
fn two(a: f64, b: f64, c: f64) -> f64 {
    a * b + c * a * a
}

#[differentiable]
fn placed_struct(x: &[f64]) -> f64 {
    let mut s = x[0];
    let t = State {
        b: s,
        a: {
            s *= x[1];
            s
        },
    };
    t.energy() * t.b * s
}

#[differentiable]
fn placed_cmp(x: &[f64]) -> f64 {
    let mut s = x[0];
    if s < {
        s *= x[1];
        0.8
    } {
        s * s
    } else {
        s
    }
}

#[differentiable]
fn placed_push(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    let mut s = x[1];
    v.push({
        s *= x[2];
        s
    });
    v.insert(
        {
            s *= s;
            0
        },
        s,
    );
    v[0] * v[1] * v[2]
}

// Arguments of what is known by its name.

#[differentiable]
fn given_expect(x: &[f64]) -> f64 {
    let o = Some(x[0]);
    let mut s = x[1];
    let y = o.expect({
        s *= x[2];
        "there"
    });
    y * s
}

#[differentiable]
fn given_expect_named(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = x.first().expect({
        s *= x[2];
        "there"
    });
    *y * s
}

#[differentiable]
fn given_unwrap_or(x: &[f64]) -> f64 {
    let o = if x[0] > 0.0 { Some(x[0]) } else { None };
    let mut s = x[1];
    let y = o.unwrap_or({
        s *= x[2];
        s
    });
    y * s
}

#[differentiable]
fn given_pop_expect(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = x[1];
    let y = v.pop().expect({
        s *= x[2];
        "there"
    });
    y * s * v[0]
}

#[differentiable]
fn given_capacity(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v: Vec<f64> = Vec::with_capacity({
        s *= x[2];
        3
    });
    v.push(s);
    v[0] * s
}

#[differentiable]
fn given_resize(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    v.resize(
        {
            s *= x[2];
            5
        },
        s,
    );
    v[4] * s
}

#[differentiable]
fn given_truncate(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    v.truncate({
        s *= x[2];
        2
    });
    v[0] * s * v.len() as f64
}

#[differentiable]
fn given_get(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = x
        .get({
            s *= x[2];
            2
        })
        .unwrap();
    y * s
}

#[differentiable]
fn given_ok_or(x: &[f64]) -> f64 {
    let mut s = x[1];
    let o: Option<f64> = Some(x[0]);
    let y = match o.ok_or({
        s *= x[2];
        "gone"
    }) {
        Ok(y) => y,
        Err(_) => 0.0,
    };
    y * s
}

#[differentiable]
fn given_or(x: &[f64]) -> f64 {
    let mut s = x[1];
    let o: Option<f64> = Some(x[0]);
    let y = o
        .or({
            s *= x[2];
            Some(s)
        })
        .unwrap();
    y * s
}

#[differentiable]
fn given_then_some(x: &[f64]) -> f64 {
    let mut s = x[1];
    let o = (x[0] > 5.0).then_some({
        s *= x[2];
        s
    });
    o.unwrap_or(x[0]) * s
}

#[differentiable]
fn given_map_or(x: &[f64]) -> f64 {
    let mut s = x[1];
    let o = Some(x[0]);
    let y = o.map_or(
        {
            s *= x[2];
            s
        },
        |v| v * v,
    );
    y * s
}

#[differentiable]
fn given_drop(x: &[f64]) -> f64 {
    let mut s = x[1];
    drop({
        s *= x[2];
        1
    });
    s * s
}

#[differentiable]
fn given_infer(x: &[f64]) -> f64 {
    let mut s = x[1];
    _ = {
        s *= x[2];
        1
    };
    let _ = {
        s *= x[0];
        2.0
    };
    s * s
}

#[differentiable]
fn given_insert(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    v.insert(
        {
            s *= x[2];
            1
        },
        s,
    );
    v[1] * s * v[3]
}

#[differentiable]
fn given_swap(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    v.swap(
        {
            s *= x[2];
            0
        },
        1,
    );
    v[0] * s
}

#[differentiable]
fn given_fill(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    v.fill({
        s *= x[2];
        s
    });
    v[0] * s
}

#[differentiable]
fn given_rotate(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    v.rotate_left({
        s *= x[2];
        1
    });
    v[0] * v[0] * s
}

#[differentiable]
fn given_split(x: &[f64]) -> f64 {
    let mut s = x[1];
    let (a, b) = x.split_at({
        s *= x[2];
        1
    });
    a[0] * b[0] * s
}

#[differentiable]
fn given_skip(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y: f64 = x
        .iter()
        .skip({
            s *= x[2];
            1
        })
        .sum();
    y * s
}

#[differentiable]
fn given_chunks(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut y = 0.0;
    for c in x.chunks({
        s *= x[2];
        2
    }) {
        y += c[0] * s;
    }
    y * s
}

#[differentiable]
fn given_fold(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = x.iter().fold(
        {
            s *= x[2];
            s
        },
        |a, b| a * b,
    );
    y * s
}

#[differentiable]
fn given_zip(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y: f64 = x
        .iter()
        .zip({
            s *= x[2];
            x
        })
        .map(|(a, b)| a * b)
        .sum();
    y * s
}

#[differentiable]
fn given_repeat(x: &[f64]) -> f64 {
    let mut s = x[1];
    let v = vec![
        s;
        {
            s *= x[2];
            3
        }
    ];
    v[0] * s
}

#[differentiable]
fn given_extend(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    v.extend_from_slice({
        s *= x[2];
        &x[..2]
    });
    v[4] * s
}

#[differentiable]
fn given_replace(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut o = Some(x[0]);
    let old = o.replace({
        s *= x[2];
        s
    });
    old.unwrap() * o.unwrap() * s
}

#[differentiable]
fn given_copy(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = vec![0.0; 3];
    v.copy_from_slice({
        s *= x[2];
        x
    });
    v[0] * s
}

#[differentiable]
fn given_clamp(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = s.clamp(
        {
            s *= x[2];
            0.1
        },
        {
            s *= x[0];
            9.0
        },
    );
    y * s
}

#[differentiable]
fn given_powi(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = s.powi({
        s *= x[2];
        3
    });
    y * s
}

#[differentiable]
fn given_drain(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    v.drain(
        ..{
            s *= x[2];
            1
        },
    );
    v[0] * s * v.len() as f64
}

#[differentiable]
fn given_swap_remove(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut v = x.to_vec();
    let y = v.swap_remove({
        s *= x[2];
        0
    });
    v[0] * s * y
}

#[differentiable]
fn given_result_expect(x: &[f64]) -> f64 {
    let mut s = x[1];
    let r: Result<f64, String> = Ok(x[0]);
    let y = r.expect({
        s *= x[2];
        "there"
    });
    y * s
}

#[differentiable]
fn given_last(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = x[x.len() - {
        s *= x[2];
        1
    }];
    y * s
}

#[differentiable]
fn given_passive(x: &[f64]) -> f64 {
    let mut s = x[1];
    let n = [1usize, 2]
        .get({
            s *= x[2];
            1
        })
        .copied()
        .expect({
            s *= x[0];
            "there"
        });
    s * s * n as f64
}

#[differentiable]
fn given_range_len(x: &[f64]) -> f64 {
    let mut s = x[1];
    let n = (0..{
        s *= x[2];
        4
    })
        .len();
    s * s * n as f64
}

// Several of these at once.

#[differentiable]
fn place_call(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut s = x[1];
    w[(grow(&mut s) > 9.0) as usize] -= s * s;
    w[0] * s
}

#[differentiable]
fn place_chain(x: &[f64]) -> f64 {
    let mut w = vec![vec![x[0], x[1]], vec![x[2]]];
    let mut s = x[1];
    w[{
        s *= x[0];
        0
    }][{
        s += x[2];
        1
    }] = s.sin() + s;
    w[0][1] * s
}

#[differentiable]
fn expect_call(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = x.get(1).expect(if grow(&mut s) > 9.0 { "a" } else { "b" });
    y * s
}

#[differentiable]
fn expect_chain(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = x
        .iter()
        .skip({
            s *= x[0];
            1
        })
        .copied()
        .reduce(f64::max)
        .expect({
            s += 1.0;
            "m"
        });
    y * s
}

#[differentiable]
fn expect_closure(x: &[f64]) -> f64 {
    let mut s = x[1];
    let f = |o: Option<f64>, s: &mut f64| {
        o.expect({
            *s *= x[2];
            "there"
        })
    };
    let y = f(Some(x[0]), &mut s);
    y * s
}

#[differentiable]
fn min_by(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y = x
        .iter()
        .take({
            s *= s;
            2
        })
        .min_by(|a, b| a.partial_cmp(b).unwrap())
        .expect("some");
    y * s
}

#[differentiable]
fn get_range(x: &[f64]) -> f64 {
    let mut s = x[1];
    let y: f64 = x
        .get(
            {
                s *= x[0];
                1
            }..,
        )
        .unwrap()
        .iter()
        .sum();
    y * s
}

#[differentiable]
fn count_passive(x: &[f64]) -> f64 {
    let mut n = 0;
    let y = Some(x[0]).expect({
        n += 2;
        "there"
    });
    let z = x
        .get({
            n += 1;
            1
        })
        .expect({
            n += 1;
            "x"
        });
    y * z * n as f64
}

#[differentiable]
fn sort_in(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 1.0;
    v.sort_by({
        s *= x[0];
        |a: &f64, b: &f64| a.partial_cmp(b).unwrap()
    });
    v[0] * v[2] * v[2] * s
}

#[differentiable]
fn step_by(x: &[f64]) -> f64 {
    let mut s = x[1];
    let mut y = 0.0;
    for (i, a) in x.iter().enumerate().step_by({
        s *= x[2];
        2
    }) {
        y += a * i as f64 * s;
    }
    y * s
}

#[differentiable]
fn cond_expect(x: &[f64]) -> f64 {
    let mut s = x[1];
    if Some(x[0]).expect({
        s *= x[2];
        "a"
    }) > 0.1
        && s < 9.0
    {
        s * s
    } else {
        s
    }
}

#[differentiable]
fn while_expect(x: &[f64]) -> f64 {
    let mut s = x[1];
    while Some(s).expect({
        s *= 1.5;
        "a"
    }) < 3.0
    {
        s += x[0];
    }
    s * s
}

sound! {
    placed_set placed_mul placed_add placed_field placed_nested placed_index placed_pair placed_read placed_self_rhs placed_step placed_deref placed_array_move placed_args placed_struct placed_cmp placed_push given_expect given_expect_named given_unwrap_or given_pop_expect given_capacity given_resize given_truncate given_get given_ok_or given_or given_then_some given_map_or given_drop given_infer given_insert given_swap given_fill given_rotate given_split given_skip given_chunks given_fold given_zip given_repeat given_extend given_replace given_copy given_clamp given_powi given_drain given_swap_remove given_result_expect given_last given_passive given_range_len place_call place_chain expect_call expect_chain expect_closure min_by get_range count_passive sort_in step_by cond_expect while_expect
}
