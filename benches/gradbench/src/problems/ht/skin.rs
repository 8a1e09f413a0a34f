//! From a pose to the vertices of the skin, and to their distances from the scan.

use super::model::Hand;
use diffi::prelude::*;

/// The distances of points from their vertices, three coordinates each.
#[differentiable(constant(hand), output(errors))]
pub fn distances(theta: &[f64], hand: &Hand, errors: &mut [f64]) {
    let skin = skin(theta, hand);
    for i in 0..hand.correspondences.len() {
        let vertex = hand.correspondences[i];
        for j in 0..3 {
            errors[3 * i + j] = hand.points[3 * i + j] - skin[3 * vertex + j];
        }
    }
}

/// The distances of points from their places on triangles, three coordinates each.
#[differentiable(constant(hand), output(errors))]
pub fn distances_on_triangles(theta: &[f64], us: &[f64], hand: &Hand, errors: &mut [f64]) {
    let skin = skin(theta, hand);
    for i in 0..hand.correspondences.len() {
        let corners = hand.triangles[hand.correspondences[i]];
        let (u, v) = (us[2 * i], us[2 * i + 1]);
        for j in 0..3 {
            let place =
                u * skin[3 * corners[0] + j] + v * skin[3 * corners[1] + j] + (1.0 - u - v) * skin[3 * corners[2] + j];
            errors[3 * i + j] = hand.points[3 * i + j] - place;
        }
    }
}

/// All vertices, three coordinates each.
#[differentiable(constant(hand))]
fn skin(theta: &[f64], hand: &Hand) -> Vec<f64> {
    let transforms = transforms(theta, hand);
    let global = rotation(&theta[..3]);
    let mut skin = vec![0.0; 3 * hand.weights.len()];
    for vertex in 0..hand.weights.len() {
        let base = &hand.base_positions[4 * vertex..4 * vertex + 4];
        let mut posed = [0.0; 3];
        for k in 0..hand.weights[vertex].len() {
            let (bone, weight) = hand.weights[vertex][k];
            let m = &transforms[16 * bone..16 * bone + 12];
            for i in 0..3 {
                let moved =
                    m[4 * i] * base[0] + m[4 * i + 1] * base[1] + m[4 * i + 2] * base[2] + m[4 * i + 3] * base[3];
                posed[i] += weight * moved;
            }
        }
        if hand.is_mirrored {
            posed[0] = -posed[0];
        }
        for i in 0..3 {
            skin[3 * vertex + i] =
                global[3 * i] * posed[0] + global[3 * i + 1] * posed[1] + global[3 * i + 2] * posed[2] + theta[3 + i];
        }
    }
    skin
}

/// Where each bone takes what is attached to it, 16 numbers each.
#[differentiable(constant(hand))]
fn transforms(theta: &[f64], hand: &Hand) -> Vec<f64> {
    let bones = hand.parents.len();
    let mut absolutes = vec![0.0; 16 * bones];
    let mut transforms = vec![0.0; 16 * bones];
    for bone in 0..bones {
        let turn = bend(theta, bone);
        let mut relative = [0.0; 16];
        multiply(&hand.base_relatives[bone], &turn, &mut relative);
        let (before, rest) = absolutes.split_at_mut(16 * bone);
        match hand.parents[bone] {
            None => rest[..16].copy_from_slice(&relative),
            Some(parent) => multiply(&before[16 * parent..16 * parent + 16], &relative, &mut rest[..16]),
        }
        multiply(&rest[..16], &hand.inverse_base_absolutes[bone], &mut transforms[16 * bone..16 * bone + 16]);
    }
    transforms
}

/// The matrix by which a bone is bent: of the four bones of a finger after the wrist's, the first three have angles, the first
/// of them two.
#[differentiable]
fn bend(theta: &[f64], bone: usize) -> [f64; 16] {
    let mut flex = 0.0;
    let mut spread = 0.0;
    if bone >= 2 {
        let (finger, joint) = ((bone - 2) / 4, (bone - 2) % 4);
        if finger < 5 && joint < 3 {
            let first = 6 + 4 * finger;
            if joint == 0 {
                flex = theta[first];
                spread = theta[first + 1];
            } else {
                flex = theta[first + 1 + joint];
            }
        }
    }
    let (sin_x, cos_x) = flex.sin_cos();
    let (sin_z, cos_z) = spread.sin_cos();
    [
        cos_z,
        -sin_z * cos_x,
        sin_z * sin_x,
        0.0,
        sin_z,
        cos_z * cos_x,
        -cos_z * sin_x,
        0.0,
        0.0,
        sin_x,
        cos_x,
        0.0,
        0.0,
        0.0,
        0.0,
        1.0,
    ]
}

/// `product = a b`, all 4 x 4 by rows.
#[differentiable(output(product))]
fn multiply(a: &[f64], b: &[f64], product: &mut [f64]) {
    for i in 0..4 {
        for j in 0..4 {
            product[4 * i + j] =
                a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j] + a[4 * i + 3] * b[12 + j];
        }
    }
}

/// The rotation about an axis by as many radians as it is long, by rows.
#[differentiable]
fn rotation(axis: &[f64]) -> [f64; 9] {
    let angle = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
    if angle < 1e-4 {
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    }
    let (x, y, z) = (axis[0] / angle, axis[1] / angle, axis[2] / angle);
    let (s, c) = angle.sin_cos();
    [
        x * x + (1.0 - x * x) * c,
        x * y * (1.0 - c) - z * s,
        x * z * (1.0 - c) + y * s,
        x * y * (1.0 - c) + z * s,
        y * y + (1.0 - y * y) * c,
        y * z * (1.0 - c) - x * s,
        x * z * (1.0 - c) - y * s,
        y * z * (1.0 - c) + x * s,
        z * z + (1.0 - z * z) * c,
    ]
}
