//! `agon elo`: what counted results tell, without a record: Elo in two scales, tests, and how many more it takes.

use crate::like::Like;
use crate::sprt::EloScale;
use agon_command::{Failure, status};
use agon_report::EloReport;
use agon_stats::sprt::results::Results;
use agon_stats::sprt::{Hypotheses, Scale};
use clap::Args;

/// The arguments of `agon elo`.
#[derive(Args, Debug)]
pub struct EloArgs {
    /// How often each result came, from the worst to the best. For single matches, write losses,draws,wins: 10,5,20, or
    /// losses,wins. For pairs, write five numbers, for 0, ½, 1, 1½ and 2 points. For matches with more seats, add --matches,
    /// and write how often the client came last, last but one, and so on up to first.
    #[arg(long, value_name = "N,N,…", required = true, value_delimiter = ',')]
    counts: Vec<u64>,
    /// Reads the counts as single matches. Without --matches, five counts mean pairs; two or three mean matches.
    #[arg(long)]
    matches: bool,
    /// Shows the state of a sequential test with these two bounds.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The scale of the --sprt bounds. Default: shows both.
    #[arg(long, value_enum)]
    scale: Option<EloScale>,
    /// The probability of a false "better".
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// The probability of a false "not better".
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// Also prints the difference as Ordo or BayesElo would compute it. With --sprt, also shows the test in
    /// that program's scale.
    #[arg(long, value_enum, value_name = "PROGRAM")]
    like: Option<Like>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Calculates Elo from counts.
pub fn elo(args: &EloArgs) -> Result<u8, Failure> {
    let results = read(&args.counts, args.matches)?;
    let three = match (args.like, args.counts.as_slice()) {
        (Some(Like::Bayeselo), &[lost, drawn, won]) => Some([lost, drawn, won]),
        (Some(Like::Bayeselo), &[lost, won]) => Some([lost, 0, won]),
        (Some(Like::Bayeselo), _) => {
            let help = "help: give matches lost, drawn and won, as --counts 759,1863,880";
            return Err(Failure::usage(format!("BayesElo's model is of single matches; {help}")));
        }
        _ => None,
    };
    let report =
        EloReport::new(&results, &hypotheses(args)?, args.like == Some(Like::Ordo), three).by_place(args.matches);
    print!("{}", if args.json { report.json() } else { report.text() });
    Ok(status::DONE)
}

fn read(counts: &[u64], matches: bool) -> Result<Results, Failure> {
    let help = "help: write losses,draws,wins of matches, or losses,wins; or five numbers of pairs, for 0, 1/2, 1, 3/2 and 2 points; --matches takes any number of seats";
    let most = 1 << 50; // sums stay exact, and far from overflow
    if counts.iter().any(|count| *count > most) || counts.iter().all(|count| *count == 0) || counts.len() > 64 {
        return Err(Failure::usage(format!(
            "--counts are whole numbers up to 2^50, not all 0, at most 64 of them; {help}"
        )));
    }
    match *counts {
        [a, b, c, d, e] if !matches => Ok(Results::of_pairs([a, b, c, d, e])),
        _ if !matches && !matches!(counts.len(), 2 | 3) => Err(Failure::usage(format!(
            "--counts has {}: matches of two seats need two or three, pairs five; {help}",
            { agon_model::counted(counts.len() as u64, "number", "numbers") }
        ))),
        _ => Results::of_matches(counts.to_vec())
            .ok_or_else(|| Failure::usage(format!("one count tells nothing; {help}"))),
    }
}

/// The tests asked for; none without bounds.
fn hypotheses(args: &EloArgs) -> Result<Vec<Hypotheses>, Failure> {
    let Some(&[elo0, elo1]) = args.sprt.as_deref() else { return Ok(Vec::new()) };
    let scales = args.scale.map_or(vec![Scale::Normalised, Scale::Logistic], |scale| vec![scale.into()]);
    let with = |scale| {
        let hypotheses = Hypotheses { scale, elo0, elo1, alpha: args.alpha, beta: args.beta };
        hypotheses.check().map(|()| hypotheses).map_err(Failure::usage)
    };
    scales.into_iter().map(with).collect()
}
