//! A picture: curves, points and bars in one frame with two axes.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crate::axis::Axis;

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 40.0;
/// Told apart by the colour-blind (Okabe & Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// A picture.
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    marks: String,
    legend: Vec<(String, &'static str)>,
}

impl Plot {
    /// An empty one.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Plot { title: title.to_owned(), x, y, marks: String::new(), legend: Vec::new() }
    }

    /// A curve. An empty name is not in the legend.
    pub fn curve(&mut self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let colour = self.colour(name);
        let points: Vec<String> =
            points.into_iter().map(|p| self.at(p)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        let _ = writeln!(self.marks, "<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='1.3'/>");
    }

    /// Points.
    pub fn points(&mut self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let colour = self.colour(name);
        for point in points {
            let (x, y) = self.at(point);
            let _ = writeln!(self.marks, "<circle cx='{x:.1}' cy='{y:.1}' r='2.5' fill='{colour}'/>");
        }
    }

    /// Bars between an edge and the next one.
    pub fn bars(&mut self, edges: &[f64], heights: &[f64]) {
        for (edge, height) in edges.windows(2).zip(heights) {
            let ((x0, y0), (x1, y1)) = (self.at((edge[0], *height)), self.at((edge[1], 0.0)));
            let (width, height) = (x1 - x0, y1 - y0);
            let _ = writeln!(
                self.marks,
                "<rect x='{x0:.1}' y='{y0:.1}' width='{width:.1}' height='{height:.1}' fill='#ccd' stroke='white'/>"
            );
        }
    }

    /// Writes the file, beside the book's other pictures.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn save(&self, name: &str) -> io::Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/pictures");
        std::fs::write(folder.join(name).with_extension("svg"), self.svg())
    }

    /// The text of the picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' font-family='sans-serif' font-size='11'>\n\
             <rect width='{WIDTH}' height='{HEIGHT}' fill='white'/>\n\
             <text x='{LEFT}' y='16' font-size='13'>{}</text>\n",
            self.title
        );
        for (x, label) in self.x.ticks() {
            let x = self.at((x, 0.0)).0;
            let _ = writeln!(svg, "<path d='M{x:.1} {TOP}V{bottom}' stroke='#eee'/>");
            let _ = writeln!(svg, "<text x='{x:.1}' y='{}' text-anchor='middle'>{label}</text>", bottom + 14.0);
        }
        for (y, label) in self.y.ticks() {
            let y = self.at((0.0, y)).1;
            let _ = writeln!(svg, "<path d='M{LEFT} {y:.1}H{right}' stroke='#eee'/>");
            let _ = writeln!(svg, "<text x='{}' y='{:.1}' text-anchor='end'>{label}</text>", LEFT - 6.0, y + 4.0);
        }
        let _ = writeln!(svg, "<path d='M{LEFT} {TOP}V{bottom}H{right}' fill='none' stroke='#666'/>");
        let middle = f64::midpoint(LEFT, right);
        let _ = writeln!(svg, "<text x='{middle}' y='{}' text-anchor='middle'>{}</text>", HEIGHT - 8.0, self.x.name);
        let middle = f64::midpoint(TOP, bottom);
        let _ = writeln!(
            svg,
            "<text x='14' y='{middle}' text-anchor='middle' transform='rotate(-90 14 {middle})'>{}</text>",
            self.y.name
        );
        svg + &self.marks + &self.names() + "</svg>\n"
    }

    fn names(&self) -> String {
        let mut names = String::new();
        for (k, (name, colour)) in self.legend.iter().enumerate() {
            let y = TOP + 14.0 + 14.0 * k as f64;
            let x = WIDTH - RIGHT - 8.0;
            let _ = writeln!(names, "<text x='{x}' y='{y}' text-anchor='end' fill='{colour}'>{name}</text>");
        }
        names
    }

    fn colour(&mut self, name: &str) -> &'static str {
        let colour = COLOURS[self.legend.len() % COLOURS.len()];
        if !name.is_empty() {
            self.legend.push((name.to_owned(), colour));
        }
        colour
    }

    /// Where a point stands.
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (x, y) = (self.x.place(x), self.y.place(y));
        (LEFT + x * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - y * (HEIGHT - TOP - BOTTOM))
    }
}
