//! Bradley and Terry's strengths in the plainest way, slow and without a line of the crate: every game counts.

/// A game of two: who sat first and second, the points of the first (1, 1/2, 0), and how often it was played.
pub type Game = (usize, usize, f64, f64);

/// Elo above the mean, by repeated substitution (Zermelo 1929): points over what equal strengths would have met.
pub fn bradley_terry(games: &[Game], clients: usize) -> Vec<f64> {
    let mut strength = vec![1.0; clients];
    for _ in 0..3_000 {
        let (mut points, mut met) = (vec![0.0; clients], vec![0.0; clients]);
        for (one, other, won, times) in games {
            points[*one] += won * times;
            points[*other] += (1.0 - won) * times;
            let both = times / (strength[*one] + strength[*other]);
            met[*one] += both;
            met[*other] += both;
        }
        for client in 0..clients {
            strength[client] = points[client] / met[client];
        }
        let mean = strength.iter().map(|one: &f64| one.ln()).sum::<f64>() / clients as f64;
        strength.iter_mut().for_each(|one| *one /= mean.exp());
    }
    strength.iter().map(|one| 400.0 * one.log10()).collect()
}
