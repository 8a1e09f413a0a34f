//! Time over size, as a picture.

use super::{Measurement, Measurements};
use std::fmt::Write;

/// Width and height of the picture, and the frame in it: left, right, top, bottom.
const SIZE: (f64, f64) = (860.0, 520.0);
const FRAME: (f64, f64, f64, f64) = (80.0, 600.0, 50.0, 460.0);

/// Colours that can be told apart also by the colour-blind (Okabe and Ito, 2008), then darker ones.
const COLOURS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f00", "#7b3294", "#a6611a",
    "#008080", "#b2182b",
];

/// A logarithmic axis: from the first power of ten to the last, over a range of the picture.
struct Axis {
    decades: (i32, i32),
    ends: (f64, f64),
}

impl Axis {
    fn over(values: impl Iterator<Item = f64> + Clone, ends: (f64, f64)) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min).max(1e-12).log10().floor() as i32;
        let high = values.fold(0.0, f64::max).max(1e-12).log10().ceil() as i32;
        Axis { decades: (low, high.max(low + 1)), ends }
    }

    fn at(&self, value: f64) -> f64 {
        let (low, high) = (f64::from(self.decades.0), f64::from(self.decades.1));
        let part = (value.max(1e-300).log10() - low) / (high - low);
        self.ends.0 + part * (self.ends.1 - self.ends.0)
    }

    fn ticks(&self) -> impl Iterator<Item = (i32, f64)> + '_ {
        (self.decades.0..=self.decades.1).map(|decade| (decade, self.at(10f64.powi(decade))))
    }
}

/// The time of each measurement over the size of the input, both logarithmic, as SVG: a colour for each backend, full lines where
/// the operator was prepared, broken ones where it was not.
pub fn plot(table: &Measurements, title: &str) -> String {
    let rows: Vec<&Measurement> = table.0.iter().filter(|row| row.size > 0).collect();
    let (left, right, top, bottom) = FRAME;
    let x = Axis::over(rows.iter().map(|row| row.size as f64), (left, right));
    let y = Axis::over(rows.iter().map(|row| row.time), (bottom, top));
    let mut backends: Vec<&str> = Vec::new();
    rows.iter().for_each(|row| {
        if !backends.contains(&&*row.backend) {
            backends.push(&row.backend);
        }
    });
    let mut svg = frame(&x, &y, title);
    for (k, backend) in backends.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        for prepared in [false, true] {
            let series = rows.iter().filter(|row| row.backend == *backend && row.prepared == prepared);
            let mut points: Vec<(usize, f64)> = series.map(|row| (row.size, row.time)).collect();
            points.sort_by_key(|(size, _)| *size);
            let at = |(size, time): &(usize, f64)| format!("{:.1},{:.1}", x.at(*size as f64), y.at(*time));
            let path: Vec<String> = points.iter().map(at).collect();
            let dash = if prepared { "" } else { " stroke-dasharray=\"5 4\"" };
            let _ = writeln!(
                svg,
                r#"<polyline fill="none" stroke="{colour}" stroke-width="2"{dash} points="{}"/>"#,
                path.join(" ")
            );
            for (cx, cy) in points.iter().map(|(size, time)| (x.at(*size as f64), y.at(*time))) {
                let _ = writeln!(svg, r#"<circle cx="{cx:.1}" cy="{cy:.1}" r="3" fill="{colour}"/>"#);
            }
        }
        let y = top + 10.0 + 20.0 * k as f64;
        let _ = writeln!(
            svg,
            r#"<line x1="620" x2="644" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"/><text x="652" y="{}">{}</text>"#,
            y + 4.0,
            escape(backend)
        );
    }
    svg + "</svg>\n"
}

/// The picture without the lines.
fn frame(x: &Axis, y: &Axis, title: &str) -> String {
    let ((width, height), (left, right, top, bottom)) = (SIZE, FRAME);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"30\" font-size=\"15\">{}</text>\n",
        escape(title)
    );
    for (decade, at) in x.ticks() {
        let _ = writeln!(
            svg,
            r##"<line x1="{at:.1}" x2="{at:.1}" y1="{top}" y2="{bottom}" stroke="#ddd"/><text x="{at:.1}" y="{}" text-anchor="middle">{}</text>"##,
            bottom + 18.0,
            10u64.saturating_pow(decade.max(0) as u32)
        );
    }
    for (decade, at) in y.ticks() {
        let _ = writeln!(
            svg,
            r##"<line x1="{left}" x2="{right}" y1="{at:.1}" y2="{at:.1}" stroke="#ddd"/><text x="{}" y="{:.1}" text-anchor="end">{}</text>"##,
            left - 8.0,
            at + 4.0,
            seconds(decade)
        );
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">size of the input</text>\n\
         <text x=\"620\" y=\"{}\">full lines: prepared</text><text x=\"620\" y=\"{}\">broken lines: not prepared</text>",
        right - left,
        bottom - top,
        (left + right) / 2.0,
        bottom + 42.0,
        bottom - 16.0,
        bottom
    );
    svg
}

/// A power of ten seconds in words.
fn seconds(decade: i32) -> String {
    let unit = decade.div_euclid(3).clamp(-4, 0);
    let factor = 10f64.powi(decade - 3 * unit);
    format!("{factor} {}", ["ps", "ns", "µs", "ms", "s"][(unit + 4) as usize])
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_logarithmic() {
        let axis = Axis::over([10.0, 1000.0].into_iter(), (0.0, 100.0));
        assert_eq!((axis.at(10.0), axis.at(100.0), axis.at(1000.0)), (0.0, 50.0, 100.0));
        assert_eq!([seconds(-9), seconds(-7), seconds(-6), seconds(1)], ["1 ns", "100 ns", "1 µs", "10 s"]);
    }
}
