//! ADBench's hand tracking: how far the points of a scan are from the skin of a hand model in a given pose.
//!
//! `theta` is the pose: rotation (3), translation (3), and four angles for each of five fingers. In the simple variant a point
//! belongs to a vertex of the skin; in the complicated one to a place on a triangle, which `us` says in barycentric coordinates.

mod model;
mod skin;

use super::{Failure, ensure};
use crate::clock::Clock;
use diffi::prelude::*;
use model::Hand;
use serde::Deserialize;
use skin::{distances, distances_on_triangles};

/// As many numbers as a pose has.
const POSE: usize = 26;
/// As many tangents as go through the objective at once: a pose and two of `us`, in two passes.
const BATCH: usize = 14;

#[derive(Deserialize)]
pub struct Input {
    theta: Vec<f64>,
    us: Vec<[f64; 2]>,
    data: model::Data,
}

/// Pose, places on triangles, and the hand.
fn checked(input: Input) -> Result<(Vec<f64>, Vec<f64>, Hand), Failure> {
    ensure(input.theta.len() == POSE, "`theta` needs 26 numbers")?;
    let hand = Hand::of(input.data)?;
    let places = input.us.is_empty() || input.us.len() == hand.points.len() / 3;
    ensure(places, "`us` needs a place for every point, or none")?;
    Ok((input.theta, input.us.concat(), hand))
}

pub fn objective(input: Input, clock: &mut Clock) -> Result<Vec<f64>, Failure> {
    let (theta, us, hand) = checked(input)?;
    let mut errors = vec![0.0; hand.points.len()];
    if us.is_empty() {
        clock.run(|| distances(&theta, &hand, &mut errors));
    } else {
        clock.run(|| distances_on_triangles(&theta, &us, &hand, &mut errors));
    }
    Ok(errors)
}

pub fn jacobian(input: Input, clock: &mut Clock) -> Result<Vec<Vec<f64>>, Failure> {
    let (theta, us, hand) = checked(input)?;
    if us.is_empty() { dense(&theta, &hand, clock) } else { compressed(&theta, &us, &hand, clock) }
}

fn dense(theta: &[f64], hand: &Hand, clock: &mut Clock) -> Result<Vec<Vec<f64>>, Failure> {
    let mut errors = vec![0.0; hand.points.len()];
    let mut prepared = clock
        .prepare(|| prepare_jacobian(distances::D, AutoForward::default(), (theta, Constant(hand), &mut errors)))?;
    let mut jacobian = ndarray::Array2::zeros((errors.len(), POSE));
    clock.run(|| prepared.jacobian_into(&mut jacobian, (theta, Constant(hand), &mut errors)))?;
    Ok(jacobian.outer_iter().map(|row| row.to_vec()).collect())
}

/// An error depends on no other place than its own, so two tangents show all derivatives with respect to places: they come
/// first in the rows, then those with respect to the pose.
fn compressed(theta: &[f64], us: &[f64], hand: &Hand, clock: &mut Clock) -> Result<Vec<Vec<f64>>, Failure> {
    let mut errors = vec![0.0; hand.points.len()];
    let seeds: Vec<(Vec<f64>, Vec<f64>)> = (0..2 + POSE)
        .map(|column| {
            let unit = |k: usize| f64::from(u8::from(k == column));
            ((0..POSE).map(|i| unit(2 + i)).collect(), (0..us.len()).map(|i| unit(i % 2)).collect())
        })
        .collect();
    let batch = |k: usize| -> [&(Vec<f64>, Vec<f64>); BATCH] { std::array::from_fn(|i| &seeds[k * BATCH + i]) };
    let mut prepared = clock.prepare(|| {
        let at = (theta, us, Constant(hand), &mut errors[..]);
        prepare_pushforward(distances_on_triangles::D, AutoForward::default(), at, batch(0))
    })?;
    let mut columns: Vec<[Vec<f64>; BATCH]> =
        (0..(2 + POSE) / BATCH).map(|_| std::array::from_fn(|_| vec![0.0; hand.points.len()])).collect();
    clock.run(|| {
        for (k, columns) in columns.iter_mut().enumerate() {
            let at = (theta, us, Constant(hand), &mut errors[..]);
            prepared.pushforward_into(columns, at, batch(k))?;
        }
        Ok::<_, Failure>(())
    })?;
    let columns: Vec<&Vec<f64>> = columns.iter().flatten().collect();
    Ok((0..errors.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect())
}
