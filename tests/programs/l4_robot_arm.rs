use diffi::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Quat {
    w: f64,
    v: [f64; 3],
}

#[differentiable]
impl Quat {
    const IDENTITY: Quat = Quat { w: 1.0, v: [0.0; 3] };

    #[differentiable(constant(axis))]
    fn about(axis: [f64; 3], angle: f64) -> Self {
        let (s, c) = (0.5 * angle).sin_cos();
        Self { w: c, v: axis.map(|a| a * s) }
    }

    #[differentiable]
    fn mul(self, o: Self) -> Self {
        let (a, b) = (self.v, o.v);
        Quat {
            w: self.w * o.w - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
            v: [
                self.w * b[0] + o.w * a[0] + a[1] * b[2] - a[2] * b[1],
                self.w * b[1] + o.w * a[1] + a[2] * b[0] - a[0] * b[2],
                self.w * b[2] + o.w * a[2] + a[0] * b[1] - a[1] * b[0],
            ],
        }
    }

    #[differentiable]
    fn conj(self) -> Self {
        Quat { w: self.w, v: [-self.v[0], -self.v[1], -self.v[2]] }
    }

    #[differentiable(constant(p))]
    fn rotate(self, p: [f64; 3]) -> [f64; 3] {
        self.mul(Quat { w: 0.0, v: p }).mul(self.conj()).v
    }
}

/// Forward kinematics: joints alternate between z and y axes, links along x.
#[differentiable(constant(lengths))]
pub fn robot_arm(angles: &[f64], lengths: &[f64]) -> [f64; 3] {
    let mut orientation = Quat::IDENTITY;
    let mut tip = [0.0; 3];
    for (i, (&angle, &len)) in angles.iter().zip(lengths).enumerate() {
        let axis = if i % 2 == 0 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        orientation = orientation.mul(Quat::about(axis, angle));
        let link = orientation.rotate([len, 0.0, 0.0]);
        for k in 0..3 {
            tip[k] += link[k];
        }
    }
    tip
}
