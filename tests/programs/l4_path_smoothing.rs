use diffi::prelude::*;

/// Cost of a planar path: length, curvature and penalties near obstacles.
#[differentiable(constant(obstacles, start, goal))]
pub fn path_smoothing(way: &[[f64; 2]], radius: f64, obstacles: &[[f64; 2]], start: [f64; 2], goal: [f64; 2]) -> f64 {
    let mut full: Vec<[f64; 2]> = Vec::with_capacity(way.len() + 2);
    full.push(start);
    full.extend_from_slice(way);
    full.push(goal);

    let length: f64 = full.windows(2).map(|w| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1])).sum();

    let mut bend = 0.0;
    for w in full.windows(3) {
        let [a, b, c] = [w[0], w[1], w[2]];
        let (ax, ay) = (b[0] - a[0], b[1] - a[1]);
        let (bx, by) = (c[0] - b[0], c[1] - b[1]);
        let angle = (ax * by - ay * bx).atan2(ax * bx + ay * by);
        bend += angle * angle;
    }

    let mut clash = 0.0;
    'points: for p in way {
        for o in obstacles {
            let d = (p[0] - o[0]).hypot(p[1] - o[1]);
            if d > 3.0 * radius {
                continue;
            }
            if d < 0.05 * radius {
                clash += 1e3;
                continue 'points;
            }
            clash += (radius / d - 1.0 / 3.0).powi(2);
        }
    }
    length + 0.5 * bend + 2.0 * clash
}
