//! Whether chains agree, and how many independent draws they are worth (Gelman et al., *Bayesian Data Analysis*, 11.4 and 11.5).

/// The potential scale reduction of split chains. Chains that agree have one of almost 1: below 1.01 in practice.
#[must_use]
pub fn r_hat(chains: &[Vec<f64>]) -> f64 {
    let halves = halves(chains);
    (Variances::of(&halves).total / Variances::of(&halves).within).sqrt()
}

/// The number of independent draws whose mean is as certain, by Geyer's initial positive sequence.
#[must_use]
pub fn effective_size(chains: &[Vec<f64>]) -> f64 {
    let halves = halves(chains);
    let Variances { within, total } = Variances::of(&halves);
    let draws = halves[0].len();
    let correlation = |lag| 1.0 - (within - mean(halves.iter().map(|half| covariance(half, lag)))) / total;
    let mut sum = 0.0;
    for lag in (0..draws.saturating_sub(1)).step_by(2) {
        let pair = correlation(lag) + correlation(lag + 1);
        if pair < 0.0 {
            break;
        }
        sum += pair;
    }
    (halves.len() * draws) as f64 / (2.0 * sum - 1.0)
}

/// The mean of all draws, and their standard deviation.
#[must_use]
pub fn mean_and_deviation(chains: &[Vec<f64>]) -> (f64, f64) {
    let draws = || chains.iter().flatten().copied();
    let center = mean(draws());
    (center, mean(draws().map(|draw| (draw - center).powi(2))).sqrt())
}

/// The variance within chains, and an estimate of the variance of the distribution.
struct Variances {
    within: f64,
    total: f64,
}

impl Variances {
    fn of(chains: &[&[f64]]) -> Self {
        let (n, m) = (chains[0].len() as f64, chains.len() as f64);
        let within = mean(chains.iter().map(|chain| covariance(chain, 0) * n / (n - 1.0)));
        let means: Vec<f64> = chains.iter().map(|chain| mean(chain.iter().copied())).collect();
        let between = covariance(&means, 0) * m / (m - 1.0);
        Variances { within, total: within * (n - 1.0) / n + between }
    }
}

/// The two halves of each chain.
fn halves(chains: &[Vec<f64>]) -> Vec<&[f64]> {
    let half = chains[0].len() / 2;
    chains.iter().flat_map(|chain| [&chain[..half], &chain[chain.len() - half..]]).collect()
}

/// The covariance of a chain with itself, so many draws later.
fn covariance(chain: &[f64], lag: usize) -> f64 {
    let center = mean(chain.iter().copied());
    let pairs = chain.iter().zip(&chain[lag..]);
    pairs.map(|(a, b)| (a - center) * (b - center)).sum::<f64>() / chain.len() as f64
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    sum / f64::from(count)
}
