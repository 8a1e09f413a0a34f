//! Times over diffi's as a picture: a line for each problem, a dot for each rival, to the right where it is slower.

use crate::table::{BY_HAND, DIFFI, Row};
use std::fmt::Write as _;

/// Colours that can be told apart also by the colour-blind (Okabe and Ito, 2008).
const COLOURS: [&str; 8] = ["#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f00"];
const LEFT: f64 = 300.0;
const RIGHT: f64 = 900.0;
const TOP: f64 = 50.0;
const STEP: f64 = 24.0;
/// From a third of diffi's time to thirty thousand times as much.
const DECADES: (f64, f64) = (-0.5, 4.5);

fn across(ratio: f64) -> f64 {
    let part = (ratio.log10().clamp(DECADES.0, DECADES.1) - DECADES.0) / (DECADES.1 - DECADES.0);
    LEFT + part * (RIGHT - LEFT)
}

/// The picture as SVG.
pub fn drawn(rows: &[Row]) -> String {
    let bottom = TOP + STEP * rows.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1100 {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"1100\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"28\" font-size=\"15\">time over diffi's</text>\n",
        bottom + 40.0
    );
    for decade in 0..=4 {
        let x = across(10f64.powi(decade));
        let width = if decade == 0 { 2 } else { 1 };
        let _ = writeln!(
            svg,
            r##"<line x1="{x:.1}" x2="{x:.1}" y1="{TOP}" y2="{bottom}" stroke="#ccc" stroke-width="{width}"/><text x="{x:.1}" y="{}" text-anchor="middle">{}</text>"##,
            bottom + 18.0,
            10u32.pow(decade as u32)
        );
    }
    let mut names: Vec<&str> = vec![BY_HAND];
    for (k, row) in rows.iter().enumerate() {
        let y = TOP + STEP * (k as f64 + 0.5);
        let _ = writeln!(svg, r#"<text x="{}" y="{}" text-anchor="end">{}</text>"#, LEFT - 10.0, y + 4.0, row.problem);
        let hand = row.time(BY_HAND).map(|time| (BY_HAND, time));
        for (name, time) in hand.into_iter().chain(row.packages()) {
            let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            let x = across(time / row.time(DIFFI).expect("is measured"));
            let _ =
                writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{}"/>"#, COLOURS[place % COLOURS.len()]);
        }
    }
    for (k, name) in names.iter().enumerate() {
        let (y, colour) = (TOP + 20.0 * (k as f64 + 0.5), COLOURS[k % COLOURS.len()]);
        let _ = writeln!(
            svg,
            r#"<circle cx="{}" cy="{y:.1}" r="4" fill="{colour}"/><text x="{}" y="{}">{name}</text>"#,
            RIGHT + 24.0,
            RIGHT + 36.0,
            y + 4.0
        );
    }
    svg + "</svg>\n"
}
