//! `agon doctor --attack`: every attack that agon knows, played on this machine: what holds, by which layer, and what
//! this kernel lacks.

use agon_abi::Layer;
use agon_attacks::{self as attack, Attempt, Corpus, Ground};
use agon_command::output::say;
use agon_command::{Failure, find_paths};
use agon_games::AnyGame;
use agon_model::visible::{escape, json_document};
use agon_model::{SandboxMode, SandboxPolicy, counted, nearest};
use agon_player::launcher::Launcher;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// More at once would take each other's time where there are many cores and little memory.
const MOST_AT_ONCE: usize = 8;

/// All attempts and their results.
#[derive(Serialize)]
pub struct Attacked {
    schema: &'static str,
    /// One attempt for each act and phase.
    attempts: Vec<Attempt>,
    /// Whether these are all acts, in all phases and against all layers.
    #[serde(skip)]
    is_all: bool,
}

/// The acts that are tried.
pub struct Choice<'a> {
    /// Acts whose name contains it.
    pub only: &'a str,
    /// Phases; none = all.
    pub phases: &'a [String],
    /// Layers of the sandbox that are left out.
    pub without: &'a [String],
}

/// Plays the chosen acts.
pub fn attack(out: &Path, choice: &Choice, games: &[&dyn AnyGame]) -> Result<Attacked, Failure> {
    let Choice { only, phases, without } = *choice;
    if let Some(unknown) = phases.iter().find(|name| !attack::PHASES.contains(&name.as_str())) {
        let known = attack::PHASES.join(", ");
        return Err(Failure::usage(format!(
            "--phase {}: there is no such phase; help: one of {known}",
            escape(unknown, 60)
        )));
    }
    if let Some(unknown) = without.iter().find(|name| Layer::ALL.iter().all(|layer| layer.name() != name.as_str())) {
        let known = Layer::ALL.map(Layer::name).join(", ");
        return Err(Failure::usage(format!(
            "--without {}: there is no such layer; help: one of {known}",
            escape(unknown, 60)
        )));
    }
    let paths = find_paths(out)?;
    let sandbox = SandboxPolicy { mode: SandboxMode::Auto, without: without.to_vec(), ..SandboxPolicy::default() };
    let mut corpus = attack::corpus().map_err(Failure::trouble)?;
    choose(&mut corpus, only, phases)?;
    let acts = counted(corpus.acts.len() as u64, "act of bad clients is", "acts of bad clients are");
    say(&format!("{acts} tried on this machine, each against a sound one"));
    // Without a layer, acts leave files where others would find them.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = if without.is_empty() { cores.min(MOST_AT_ONCE) } else { 1 };
    let attempts = play_at_once(&corpus, jobs, games, &sandbox, &paths.host).map_err(Failure::trouble)?;
    let is_all = only.is_empty() && phases.is_empty() && without.is_empty();
    Ok(Attacked { schema: "agon.attack/1", attempts, is_all })
}

/// Leaves the chosen acts and phases; an error if that leaves nothing to try.
fn choose(corpus: &mut Corpus, only: &str, phases: &[String]) -> Result<(), Failure> {
    if corpus.acts.iter().all(|act| !act.name.contains(only)) {
        let names = || corpus.acts.iter().map(|act| act.name.as_str());
        let near = nearest(only, names()).map_or(String::new(), |near| format!("did you mean \"{near}\"? If not, "));
        let begins: BTreeSet<&str> = names().map(|name| name.split('_').next().unwrap_or(name)).collect();
        let begins = Vec::from_iter(begins).join(", ");
        let what = format!("--attack {}: no act has this in its name", escape(only, 60));
        return Err(Failure::usage(format!("{what}; help: {near}names begin with {begins}")));
    }
    corpus.acts.retain(|act| act.name.contains(only));
    if phases.is_empty() {
        return Ok(());
    }
    let is_chosen = |phase: &str| phases.iter().any(|chosen| chosen == phase);
    let tried = |phase: &&str| corpus.acts.iter().any(|act| act.phases.iter().any(|(own, _)| own == phase));
    let tried: Vec<&str> = attack::PHASES.into_iter().filter(tried).collect();
    if !tried.iter().any(|phase| is_chosen(phase)) {
        let (chosen, tried) = (phases.join(", "), tried.join(", "));
        let what = format!("these acts are not tried in {chosen}; help: they are tried in {tried}");
        return Err(Failure::usage(what));
    }
    corpus.acts.iter_mut().for_each(|act| act.phases.retain(|(phase, _)| is_chosen(phase)));
    corpus.acts.retain(|act| !act.phases.is_empty());
    Ok(())
}

/// Plays the acts, several at once, and returns the results in the order of the acts.
fn play_at_once(
    corpus: &Corpus,
    jobs: usize,
    games: &[&dyn AnyGame],
    sandbox: &SandboxPolicy,
    host: &Path,
) -> Result<Vec<Attempt>, String> {
    let play = |job: usize| {
        let mut own = corpus.clone();
        own.acts = corpus.acts.iter().skip(job).step_by(jobs).cloned().collect();
        let folder = std::env::temp_dir().join(format!("agon-attack-{}-{job}", std::process::id()));
        let ground = Ground { launcher: Launcher::by_fork(host), folder: &folder, sandbox, limits: attack::LIMITS };
        let mut attempts = Vec::new();
        let played = attack::play(&own, games, &ground, &mut |attempt| attempts.push(attempt));
        // Remains of the folder lie among the system's temporary files.
        let _ = std::fs::remove_dir_all(&folder);
        played.map(|()| attempts)
    };
    let mut attempts: Vec<Attempt> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..jobs).map(|job| scope.spawn(move || play(job))).collect();
        let ended = running.into_iter().map(|job| job.join().unwrap_or_else(|_| Err("a thread broke".to_owned())));
        ended.collect::<Result<Vec<_>, _>>().map(|parts| parts.into_iter().flatten().collect())
    })?;
    let place: BTreeMap<&str, usize> = corpus.acts.iter().map(|act| act.name.as_str()).zip(0..).collect();
    attempts.sort_by_key(|attempt| place.get(attempt.act.as_str()));
    Ok(attempts)
}

impl Attacked {
    /// The number of acts with another verdict than the expected one.
    pub fn count_broken(&self) -> usize {
        self.attempts.iter().filter(|attempt| !attempt.holds).count()
    }

    /// The report as a document for programs.
    pub fn json(&self) -> String {
        json_document(self)
    }

    /// The report as text for people.
    pub fn text(&self) -> String {
        let mut layers: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for attempt in &self.attempts {
            let held_by = attempt.layers.iter().map(String::as_str);
            let names: Vec<&str> = if attempt.layers.is_empty() { vec!["referee"] } else { held_by.collect() };
            for name in names {
                layers.entry(name).or_default()[usize::from(attempt.holds)] += 1;
            }
        }
        let mut out = String::new();
        for (layer, [broken, held]) in &layers {
            out += &format!("{layer:12}  {held:4} of {:4} held\n", broken + held);
        }
        for Attempt { act, phase, expected, came, .. } in self.attempts.iter().filter(|attempt| !attempt.holds) {
            out += &format!("BAD   {act} in {phase}: {came}; expected: {expected}\n");
        }
        let entered = self.attempts.first().map(|attempt| attempt.entered.as_slice()).unwrap_or_default();
        for layer in Layer::ALL.into_iter().filter(|layer| entered.iter().all(|name| name != layer.name())) {
            out += &format!("note  the layer {} was not entered; agon doctor says what that means\n", layer.name());
        }
        let (tried, broken) = (self.attempts.len(), self.count_broken());
        let help = match broken {
            0 if self.is_all => "clients are kept to computing here",
            0 => "agon holds these acts here",
            _ => "help: compare with another machine; play clients of strangers only where all is held",
        };
        out + &format!("\n{tried} tried, {broken} not held: {help}\n")
    }
}
