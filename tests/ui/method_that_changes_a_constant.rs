use diffi::prelude::*;

struct Generator(u64);

impl Generator {
    fn skip(&mut self, n: u64) {
        self.0 += n;
    }

    fn next_number(&mut self) -> f64 {
        self.0 += 1;
        self.0 as f64
    }
}

#[differentiable]
fn walk(x: f64) -> f64 {
    let mut generator = Generator(1);
    generator.skip(3);
    let mut s = x;
    for _ in 0..4 {
        s = s.sin() * generator.next_number();
    }
    s
}

fn main() {
    println!("{}", walk(1.0));
}
