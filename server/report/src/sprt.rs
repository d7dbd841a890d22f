//! The state of a sequential test.

use agon_model::counted;
use agon_model::documents::{EloInterval, SequentialTest};
use agon_model::shell;
use agon_model::visible::escape;
use agon_stats::sprt::lines::Design;
use agon_stats::sprt::{Elo, Hypotheses, Scale, TestReport, Verdict};

/// A test and what it found.
#[derive(Clone, Debug)]
pub struct SprtReport<'a> {
    /// The new version.
    pub new: &'a str,
    /// The version to compare with.
    pub base: &'a str,
    /// The ladder in the record.
    pub ladder: &'a str,
    /// The hypotheses of the test.
    pub hypotheses: Hypotheses,
    /// The counts and the answer; `None` before the first pair.
    pub test: Option<TestReport>,
    /// Pairs left out because the very same matches had been played before.
    pub repeated: u64,
    /// Matches that a fault decided.
    pub faults: usize,
    /// Why no more pairs are played, if none are.
    pub end: Option<TestEnd>,
}

/// Why a test ends, apart from its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestEnd {
    /// All pairs that may be played are.
    AllPlayed,
    /// Faults decided one pair after the other.
    FaultsOnly,
    /// The same matches come again and again.
    NothingNew,
}

impl TestEnd {
    fn told(self) -> &'static str {
        match self {
            TestEnd::AllPlayed => "the limit of pairs (--most) came before the test was sure",
            TestEnd::FaultsOnly => "stopped, because faults decided the last pairs",
            TestEnd::NothingNew => "stopped, because the same matches came again and again",
        }
    }
}

/// A difference for programs.
pub(super) fn interval(elo: Option<Elo>) -> Option<EloInterval> {
    elo.map(|Elo { elo, low, high }| EloInterval { elo: Some(elo).filter(|elo| elo.is_finite()), low, high })
}

/// The unit of the bounds.
pub(super) fn scale_name(scale: Scale) -> &'static str {
    match scale {
        Scale::Normalised => "normalised Elo",
        Scale::Logistic => "logistic Elo",
    }
}

/// The claims of a test, their bounds and the chances of an error.
pub(super) fn hypotheses_in_words(hypotheses: &Hypotheses) -> String {
    let Hypotheses { elo0, elo1, alpha, beta, scale } = *hypotheses;
    let (h0, h1) = if elo0 < 0.0 { ("worse", "not worse") } else { ("not better", "better") };
    format!("H0 ({h0}) {elo0:+} {}, H1 ({h1}) {elo1:+}; alpha {alpha}, beta {beta}", scale_name(scale))
}

impl SprtReport<'_> {
    fn scale(&self) -> &'static str {
        scale_name(self.hypotheses.scale)
    }

    /// The claim of H1: below 0, a bound asks whether the new version is at least not much worse.
    fn asked(&self) -> &'static str {
        if self.hypotheses.elo0 < 0.0 { "not worse than" } else { "better than" }
    }

    /// For people.
    pub fn text(&self) -> String {
        let (new, base, scale) = (escape(self.new, 40), escape(self.base, 40), self.scale());
        let claims = hypotheses_in_words(&self.hypotheses);
        let mut out = format!("{new} against {base}: {claims}; 95 % intervals\n\n");
        let Some(found) = &self.test else { return out + "no pair has been played\n" };
        let pairs: u64 = found.counts.iter().sum();
        out += &format!("pairs       {pairs}; by points (0, 1/2, 1, 3/2, 2): {}\n", joined(&found.counts));
        let (lower, upper) = found.bounds;
        if found.design.lines < pairs {
            out += &lines(found);
        }
        out += &format!("LLR         {:.3}; the test is sure at {lower:.3} (H0) or {upper:.3} (H1)\n", found.llr);
        out += &format!("verdict     {}\n", self.verdict(found, &new, &base));
        let is_answered = matches!(found.verdict, Some(Verdict::H0 | Verdict::H1));
        let biased = if is_answered { " (not corrected for the stop)" } else { "" };
        for (name, elo) in [("normalised", &found.normalised), ("logistic", &found.logistic)] {
            if let Some(elo) = elo {
                out += &format!("{name:<11} {} Elo{biased}\n", elo_text(elo));
            }
        }
        if let Some(superiority) = found.superiority {
            out += &format!("better      {} probable{biased}\n", percent(superiority));
        }
        if let Some(elo) = &found.corrected {
            out += &format!(
                "corrected   {} {scale} (corrected for the stop; need not agree with the score)\n",
                elo_text(elo)
            );
        }
        out + &self.exceptions()
    }

    fn exceptions(&self) -> String {
        let mut out = String::new();
        if self.repeated > 0 {
            let pairs = counted(self.repeated, "pair", "pairs");
            out += &format!("left out    {pairs} that copy others, move by move\n");
        }
        if self.faults > 0 {
            let ladder = shell::option("--ladder", self.ladder);
            out += &format!("faults      {}; agon matches --fault {ladder} lists them\n", self.faults);
        }
        out
    }

    fn verdict(&self, found: &TestReport, new: &str, base: &str) -> String {
        match found.verdict {
            Some(Verdict::H1) => format!("H1 is accepted: {new} is {} {base} by the bounds", self.asked()),
            Some(Verdict::H0) => format!("H0 is accepted: {new} has not been shown to be {} {base}", self.asked()),
            Some(Verdict::TooFewLines) => format!("undecided: {}", too_few(found)),
            None => format!("undecided: {}", self.end.map_or("the test has not ended", TestEnd::told)),
        }
    }

    /// The document `agon.sprt/1`.
    pub fn document(&self) -> SequentialTest {
        let Hypotheses { elo0, elo1, alpha, beta, .. } = self.hypotheses;
        let found = self.test.as_ref();
        let (lower, upper) = found.map_or((0.0, 0.0), |found| found.bounds);
        let counts = found.map_or([0; 5], |found| found.counts);
        SequentialTest {
            new: self.new.to_owned(),
            base: self.base.to_owned(),
            ladder: self.ladder.to_owned(),
            scale: self.scale().to_owned(),
            elo0,
            elo1,
            alpha,
            beta,
            pairs: counts.iter().sum(),
            pentanomial: counts,
            openings: found.map_or(0, |found| found.design.lines),
            design_effect: found.map_or(1.0, |found| found.design.effect).min(f64::MAX),
            openings_needed: found
                .filter(|found| found.verdict == Some(Verdict::TooFewLines))
                .map(|found| found.lines_needed),
            llr: found.map_or(0.0, |found| found.llr),
            lower,
            upper,
            verdict: found.and_then(|found| found.verdict).map(|verdict| match verdict {
                Verdict::H0 => "H0".to_owned(),
                Verdict::H1 => "H1".to_owned(),
                Verdict::TooFewLines => "too few openings".to_owned(),
            }),
            is_over: self.end.is_some() || found.is_some_and(|found| found.verdict.is_some()),
            normalised_elo_as_counted: interval(found.and_then(|found| found.normalised)),
            logistic_elo_as_counted: interval(found.and_then(|found| found.logistic)),
            superiority_as_counted: found.and_then(|found| found.superiority),
            corrected_for_the_stop: interval(found.and_then(|found| found.corrected)),
            repeated_pairs: self.repeated,
            faults: self.faults,
        }
    }
}

/// A test under way, in one line.
pub fn sprt_line(found: &TestReport) -> String {
    let (lower, upper) = found.bounds;
    let pairs: u64 = found.counts.iter().sum();
    let elo = found.normalised.as_ref().map_or(String::new(), |elo| format!("; normalised {} Elo", elo_text(elo)));
    let pairs = counted(pairs, "pair", "pairs");
    format!("{pairs}: LLR {:.3} between {lower:.3} and {upper:.3}{elo}", found.llr)
}

/// Where an opening came twice: what the pairs are worth.
fn lines(found: &TestReport) -> String {
    let Design { lines, effect, .. } = found.design;
    if !found.design.is_known() {
        return format!("openings    {lines}: too few to tell how much alike pairs of one opening are\n");
    }
    let pairs: u64 = found.counts.iter().sum();
    let worth = pairs as f64 / effect;
    format!("openings    {lines}: the pairs tell as much as {worth:.0} independent ones (design effect {effect:.2})\n")
}

/// Why no number of pairs would tell, and what would.
fn too_few(found: &TestReport) -> String {
    let (lines, needed) = (found.design.lines, found.lines_needed);
    format!("{lines} openings are too few for these bounds; about {needed} different ones are enough")
}

fn joined(counts: &[u64; 5]) -> String {
    counts.map(|count| count.to_string()).join(" ")
}

/// `+3.1 [-0.2, +6.4]`; an end that is not bounded is left open, and a difference that is not known has only its ends.
pub(super) fn elo_text(elo: &Elo) -> String {
    let end = |end: Option<f64>| end.map_or("open".to_owned(), |end| format!("{end:+.1}"));
    match (elo.low, elo.high) {
        (Some(low), None) if !elo.elo.is_finite() => format!("at least {low:+.1}"),
        (None, Some(high)) if !elo.elo.is_finite() => format!("at most {high:+.1}"),
        _ if !elo.elo.is_finite() => format!("unknown [{}, {}]", end(elo.low), end(elo.high)),
        _ => format!("{:+.1} [{}, {}]", elo.elo, end(elo.low), end(elo.high)),
    }
}

/// A probability that is neither 0 nor 1: `99.7 %`, and `> 99.9 %` where rounding would say that it is certain.
pub(super) fn percent(chance: f64) -> String {
    match 100.0 * chance {
        high if high >= 99.95 => "> 99.9 %".to_owned(),
        low if low < 0.05 => "< 0.1 %".to_owned(),
        between => format!("{between:.1} %"),
    }
}
