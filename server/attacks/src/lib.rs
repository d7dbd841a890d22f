//! The attacks of `server/attacks/`, which this program carries compiled: each is played on this machine against a
//! sound client, and must come to what its first line says.

mod scripts;

use agon_abi::Expected;
use agon_arena::encoding::{MatchTerms, Seating};
use agon_arena::referee::{self, Excuses};
use agon_games::{AnyGame, Opening, Options, PreparedSetting};
use agon_model::*;
use agon_player::Player;
use agon_player::launcher::Launcher;
use agon_player::process::{Launch, Process};
use agon_player::speech::Speech;
use std::fs;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The client that attacks.
const CLIENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/attacks.so"));
/// Before the list of acts in its bytes, and before what it is told to do.
const LIST: &[u8] = b"agon-attacks:\t";
const CHOICE: &[u8] = b"agon-attack:none@never";
/// When an act is tried: while the library is opened, in each function, in a thread and in a handler of a signal under
/// `play`, and while the process ends (destructors).
pub const PHASES: [&str; 8] = ["load", "initialize", "name", "play", "thread", "handler", "finalize", "unload"];
/// For one call, microseconds.
const PER_CALL: u64 = 50_000;
/// For loading and for the calls that are not `play`, microseconds.
const PER_PHASE: u64 = 200_000;

/// Acts that fill the memory get this many times the time: their speed depends on the machine.
const TO_FILL_MEMORY: u64 = 4;

/// So often a void match is played again: once for each excuse there is.
const MOST_VOID: u32 = 2 * Excuse::MOST;

/// Files that acts write if nothing forbids it, as when a layer is left out. They are removed after each act.
const LEFT_BEHIND: [&str; 2] = ["/tmp/agon-left-behind", "/dev/shm/agon-left-behind"];

/// The expected outcome of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A fault of this kind.
    Loses(String),
    /// A notice of this kind, and the match goes on.
    Told(String),
    /// Nothing: it got nothing by it.
    PlaysOn,
}

/// Something that a client tries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The name of its file, or `call_` and the system call.
    pub name: String,
    /// The expected outcome in each phase in which the act is tried.
    pub phases: Vec<(&'static str, Outcome)>,
    /// The layers of the sandbox that hold it; without all of them it comes to something else. None where that is not
    /// the sandbox's work.
    pub layers: Vec<String>,
}

/// An act that was tried, and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Attempt {
    /// The act.
    pub act: String,
    /// When it was tried.
    pub phase: String,
    /// The expected outcome, in words.
    pub expected: String,
    /// The outcome, in words.
    pub came: String,
    /// Whether these agree, and the sound client has no fault.
    pub holds: bool,
    /// The layers that hold it.
    pub layers: Vec<String>,
    /// Those of the sandbox that were entered.
    pub entered: Vec<String>,
}

/// The acts, and what they are played in.
#[derive(Clone)]
pub struct Corpus {
    game: String,
    options: Options,
    /// All acts to try.
    pub acts: Vec<Act>,
}

/// The acts that this program carries.
///
/// # Errors
/// Which line of them cannot be read: a mistake of whoever wrote it.
pub fn corpus() -> Result<Corpus, String> {
    let begin = find(CLIENT, LIST).ok_or("the compiled attacks have no list")? + LIST.len();
    let text: &[u8] = CLIENT[begin..].split(|byte| *byte == 0).next().unwrap_or_default();
    let mut lines = std::str::from_utf8(text).map_err(|error| format!("the list of attacks: {error}"))?.lines();
    let mut head = lines.next().unwrap_or_default().split('\t');
    let game = head.next().unwrap_or_default().to_owned();
    let mut options = Options::default();
    head.filter_map(|word| word.split_once('=')).for_each(|(key, value)| options.set(key, value));
    let acts = lines.map(|line| read(line).ok_or_else(|| format!("what must come of this attack? {line}")));
    let acts = acts.chain(scripts::acts().map(Ok)).collect::<Result<_, _>>()?;
    Ok(Corpus { game, options, acts })
}

/// From `NAME TAB what must come; what must come in PHASES; not in PHASES: why; held by LAYERS`.
fn read(line: &str) -> Option<Act> {
    let (name, said) = line.split_once('\t')?;
    let mut parts = said.split("; ");
    let comes = Outcome::read(parts.next()?)?;
    let mut act =
        Act { name: name.to_owned(), phases: PHASES.map(|phase| (phase, comes.clone())).into(), layers: Vec::new() };
    for part in parts {
        if let Some(layers) = part.strip_prefix("held by ") {
            act.layers = layers.split(' ').map(str::to_owned).collect();
        } else if let Some(rest) = part.strip_prefix("not in ") {
            let (phases, _why) = rest.split_once(": ").filter(|(_, why)| !why.is_empty())?;
            let phases = read_phases(phases)?;
            act.phases.retain(|(phase, _)| !phases.contains(phase));
        } else {
            let (comes, phases) = part.rsplit_once(" in ")?;
            let (comes, phases) = (Outcome::read(comes)?, read_phases(phases)?);
            let of_these = act.phases.iter_mut().filter(|(phase, _)| phases.contains(phase));
            of_these.for_each(|(_, before)| *before = comes.clone());
        }
    }
    Some(act)
}

fn read_phases(words: &str) -> Option<Vec<&'static str>> {
    words.split(' ').map(|word| PHASES.into_iter().find(|phase| *phase == word)).collect()
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// Where acts are played, and under which limits.
#[derive(Clone, Debug)]
pub struct Ground<'a> {
    /// Starts the hosts.
    pub launcher: Launcher,
    /// Files are made in it and removed again.
    pub folder: &'a Path,
    /// The layers of the sandbox.
    pub sandbox: &'a SandboxPolicy,
    /// The limits that the verdicts are about.
    pub limits: Limits,
}

/// The limits that the verdicts of the acts are about.
pub const LIMITS: Limits = Limits { memory: 32 << 20, threads: 1, output: 64 << 10 };

/// Plays each act in each of its phases, and hands out what came of it.
///
/// # Errors
/// Our own trouble: a file that cannot be written, rules that are not here.
pub fn play(
    corpus: &Corpus,
    games: &[&dyn AnyGame],
    ground: &Ground<'_>,
    each: &mut dyn FnMut(Attempt),
) -> Result<(), String> {
    let game = games.iter().find(|game| game.facts().name == corpus.game).ok_or("the attacks' game is not here")?;
    let setting = game.prepare(&corpus.options, 2).map_err(|bad| bad.to_string())?;
    let trouble = |error: std::io::Error| format!("{}: {error}", ground.folder.display());
    fs::create_dir_all(ground.folder).map_err(trouble)?;
    let _outside = Outside::listen();
    let stage = Stage { game: *game, setting, ground };
    let sound = stage.client("none", "never").map_err(trouble)?;
    for act in &corpus.acts {
        for (phase, comes) in &act.phases {
            let file = stage.client(&act.name, phase).map_err(trouble)?;
            let played = stage.play(&file, &sound, comes.patience());
            let _ = fs::remove_file(&file);
            each(judge(act, phase, comes, &played));
        }
    }
    fs::remove_file(&sound).map_err(trouble)
}

/// Where the attacks are played.
struct Stage<'a> {
    game: &'a dyn AnyGame,
    setting: Box<dyn PreparedSetting>,
    ground: &'a Ground<'a>,
}

/// A socket of this process without a path, `agon-outside-` and its number, to which no client may connect.
struct Outside(#[expect(dead_code, reason = "it only has to be there")] Option<UnixListener>);

impl Outside {
    /// Where there is one already, that one does.
    fn listen() -> Outside {
        let name = format!("agon-outside-{}", std::process::id());
        let listener = SocketAddr::from_abstract_name(name).and_then(|name| UnixListener::bind_addr(&name));
        Outside(listener.ok())
    }
}

impl Stage<'_> {
    /// A copy of the client that does this then, or the script that does it.
    fn client(&self, act: &str, phase: &str) -> std::io::Result<PathBuf> {
        if let Some(script) = scripts::script(act) {
            let file = self.ground.folder.join(act);
            return fs::write(&file, script).map(|()| file);
        }
        let mut bytes = CLIENT.to_vec();
        let at = find(&bytes, CHOICE).ok_or_else(|| std::io::Error::other("the compiled attacks take no choice"))?;
        let choice = format!("agon-attack:{act}@{phase}\0");
        bytes[at..at + choice.len()].copy_from_slice(choice.as_bytes());
        let file = self.ground.folder.join(format!("{act}-{phase}.so"));
        fs::write(&file, bytes)?;
        Ok(file)
    }

    /// Plays a void match again, as in a ladder, until the machine is no excuse any more.
    fn play(&self, file: &Path, sound: &Path, patience: u64) -> Match {
        let excuses = Excuses::default();
        let mut played = self.play_once(file, sound, patience, &excuses);
        for _ in 0..MOST_VOID {
            if matches!(played.ending, Ending::Void(_)) {
                played = self.play_once(file, sound, patience, &excuses);
            }
        }
        played
    }

    fn play_once(&self, file: &Path, sound: &Path, patience: u64, excuses: &Excuses) -> Match {
        let facts = self.game.facts();
        let expected = Arc::new(Expected::new(facts.name, facts.setup, facts.turn, facts.mv).to_blob());
        let time = time_control(patience);
        let limits = &self.ground.limits;
        let launch = |file: &Path| Launch {
            launcher: self.ground.launcher.clone(),
            files: ClientFiles::alone(file),
            file_name: String::new(),
            keep: false,
            expected: Arc::clone(&expected),
            speech: Some(Speech::of(facts)),
            time: time.clone(),
            limits: limits.clone(),
            sandbox: self.ground.sandbox.clone(),
        };
        let mut players: Vec<Box<dyn Player>> =
            [file, sound].map(|file| Box::new(Process::new(launch(file))) as Box<dyn Player>).into();
        let place =
            |entrant| Seating { entrant, label: String::new(), options: String::new(), seed: 1, own_time: None };
        let pairing = Pairing { id: "attack".to_owned(), rotation: 0, seats: vec![0, 1] };
        let terms = MatchTerms { facts, time: &time, limits, adjudication: None };
        let mut state = self.setting.start(&Opening::ANY);
        let played =
            referee::play(&terms, &pairing, &[place(0), place(1)], &mut players, state.as_mut(), excuses, &mut ());
        for path in LEFT_BEHIND {
            // Mostly there is none.
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
        }
        played
    }
}

/// The usual times of an act, multiplied by `patience`.
fn time_control(patience: u64) -> TimeControl {
    TimeControl {
        clock: ClockKind::Cpu,
        total_us: None,
        increment_us: 0,
        period: None,
        per_move_us: Some(PER_CALL * patience),
        load_us: PER_PHASE * patience,
        initialize_us: PER_PHASE * patience,
        finalize_us: PER_PHASE * patience,
        wall_factor: WALL_FACTOR,
        scale: TimeScale::Off,
    }
}

/// Compares what came of an act with what must come of it; what goes wrong in `finalize` and later is a notice, since
/// the result stands.
fn judge(act: &Act, phase: &str, comes: &Outcome, played: &Match) -> Attempt {
    let [attacker, sound] = played.seats.as_slice() else {
        return Attempt {
            act: act.name.clone(),
            phase: phase.to_owned(),
            expected: comes.text(),
            came: "no match".to_owned(),
            holds: false,
            layers: act.layers.clone(),
            entered: Vec::new(),
        };
    };
    let noted: Vec<&str> = (attacker.notices.iter().map(|notice| notice.kind.name()))
        .filter(|kind| *kind != NoticeKind::MissingLayer.name())
        .collect();
    let fault = attacker.fault.as_ref().map(|fault| fault.kind.name());
    let holds = match (comes, phase) {
        (Outcome::Loses(_), "finalize" | "unload") => fault.is_none() && noted.contains(&NoticeKind::Finalize.name()),
        (Outcome::Loses(kind), _) => fault == Some(kind),
        (Outcome::Told(kind), _) => fault.is_none() && noted.contains(&kind.as_str()),
        (Outcome::PlaysOn, _) => fault.is_none() && noted.is_empty(),
    };
    let is_void = matches!(played.ending, Ending::Void(_));
    let came = match (&played.ending, &attacker.fault, sound.fault.is_some()) {
        (Ending::Void(cause), _, _) => format!("void: {cause}"),
        (_, _, true) => "the sound client is at fault".to_owned(),
        (_, Some(fault), _) => format!("loses by {} ({})", fault.kind.name(), fault.message),
        (_, None, _) if noted.is_empty() => "plays on".to_owned(),
        (_, None, _) => format!("is told {}", noted.join(", ")),
    };
    Attempt {
        act: act.name.clone(),
        phase: phase.to_owned(),
        expected: comes.text(),
        came,
        holds: holds && !is_void && sound.fault.is_none(),
        layers: act.layers.clone(),
        entered: attacker.layers.clone(),
    }
}

impl Outcome {
    /// How many times the usual time a call may take until it comes to this.
    fn patience(&self) -> u64 {
        if *self == Outcome::Loses(FaultKind::OutOfMemory.name().to_owned()) { TO_FILL_MEMORY } else { 1 }
    }

    fn read(words: &str) -> Option<Outcome> {
        match words.split_once(' ')? {
            ("plays", "on") => Some(Outcome::PlaysOn),
            ("loses", rest) => Some(Outcome::Loses(rest.strip_prefix("by ")?.to_owned())),
            ("is", rest) => Some(Outcome::Told(rest.strip_prefix("told ")?.to_owned())),
            _ => None,
        }
    }

    /// In words.
    pub fn text(&self) -> String {
        match self {
            Outcome::Loses(kind) => format!("loses by {kind}"),
            Outcome::Told(kind) => format!("is told {kind}"),
            Outcome::PlaysOn => "plays on".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_are_read() {
        let act = read("exit\tloses by early-exit; plays on in unload; not in load name: so; held by limits seccomp")
            .unwrap();
        let loses = Outcome::Loses("early-exit".to_owned());
        let phases = ["initialize", "play", "thread", "handler", "finalize"].map(|phase| (phase, loses.clone()));
        assert_eq!(act.phases[..5], phases);
        assert_eq!(
            (&act.phases[5..], act.layers),
            (&[("unload", Outcome::PlaysOn)][..], vec!["limits".into(), "seccomp".into()])
        );
        let told = read("a\tis told denied-file").unwrap();
        assert_eq!(told.phases, PHASES.map(|phase| (phase, Outcome::Told("denied-file".to_owned()))));
        for bad in [
            "a",
            "a\t",
            "a\twins",
            "a\tloses crash",
            "a\tplays on; in play",
            "a\tplays on; not in play",
            "a\tplays on; plays on in sleep",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_attack_can_be_read() {
        let acts = corpus().unwrap().acts;
        // The headers of an old system lack some calls, and there is nothing to try for them.
        let lacking: usize = include_str!(concat!(env!("OUT_DIR"), "/lacking")).parse().unwrap();
        assert!(acts.len() + lacking >= 467, "{}", acts.len());
        let tries: usize = acts.iter().map(|act| act.phases.len()).sum();
        assert!(tries + PHASES.len() * lacking >= 3_637, "{tries}");
    }
}
