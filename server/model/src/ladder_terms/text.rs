//! The stored form of the terms: texts by key. A text that cannot be read stays as it is.

use super::{LadderTerms, OptionTerm, PairingTerms, RulesVersion, TurnOrderTerm};
use crate::units::{duration, show_duration, show_size, size};
use crate::{Adjudication, Limits, Points, SandboxPolicy, TimeControl, TimeScale, WALL_FACTOR};
use std::path::{Component, PathBuf};

/// How many times the time given moves may take in time that passes.
const WALL_TIME: &str = "time.wall_factor";
/// Said where times follow the speed of machines.
pub(super) const SCALE: &str = "time.scale";
/// The key of a total that is given again after a number of moves.
pub(super) const PERIOD: &str = "time.period";
pub(super) const SYSTEM: &str = "ladder.pairing";
/// Said where matches may end by what both clients say.
const ADJUDICATION: &str = "adjudication";
const TIME: [&str; 7] =
    ["time.clock", "time.total", "time.increment", "time.per_move", "time.load", "time.initialize", "time.finalize"];
const LIMITS: [&str; 3] = ["limits.memory", "limits.threads", "limits.output"];
const SANDBOX: [&str; 2] = ["run.sandbox", "run.without"];
/// Said where clients may read folders besides: a line each.
const OPENED: [&str; 2] = ["run.libraries", "run.runtimes"];

/// Texts by key, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Texts(Vec<(String, String)>);

impl LadderTerms {
    /// Key and text of each term, in the order in which they are stored.
    pub fn texts(&self) -> Vec<(String, String)> {
        let options = self.options.iter().map(|term| (option_key(term.setting, &term.key), term.value.clone()));
        self.known().0.into_iter().chain(options).chain(self.unread.0.iter().cloned()).collect()
    }

    /// The texts that make the ids of blocks: without how long moves may take in time that passes, where nobody set it.
    pub fn texts_of_ids(&self) -> Vec<(String, String)> {
        let usual = WALL_FACTOR.to_string();
        self.texts().into_iter().filter(|(key, value)| key != WALL_TIME || *value != usual).collect()
    }

    /// The same without the options of the settings, which may be whole maps.
    pub fn texts_but_options(&self) -> Vec<(String, String)> {
        let unread = self.unread.0.iter().filter(|(key, _)| !key.starts_with("options."));
        self.known().0.into_iter().chain(unread.cloned()).collect()
    }

    fn known(&self) -> Texts {
        let mut texts = Texts::default();
        let pairing = &self.pairing;
        texts.add("game", self.rules.as_ref().map(RulesVersion::to_string));
        texts.add("seats", self.seats.map(|seats| seats.to_string()));
        texts.add_all(&TIME, self.time.as_ref().map(time_texts));
        texts.add_all(&LIMITS, self.limits.as_ref().map(limits_texts));
        texts.add_all(&SANDBOX, self.sandbox.as_ref().map(sandbox_texts));
        texts.add("run.isolation", self.isolation.map(|isolation| isolation.name().to_owned()));
        texts.add(ADJUDICATION, self.adjudication.as_ref().map(adjudication_text));
        texts.add("turns.order", self.turn_order.map(|TurnOrderTerm::Balanced(which)| format!("balanced {which}")));
        texts.add(WALL_TIME, self.time.as_ref().map(|time| time.wall_factor.to_string()));
        let scale = self.time.as_ref().map(|time| time.scale).filter(|scale| *scale != TimeScale::Off);
        texts.add(SCALE, scale.map(|scale| <&str>::from(scale).to_owned()));
        let period = self.time.as_ref().and_then(|time| time.period);
        texts.add(PERIOD, period.map(|period| period.to_string()));
        let opened =
            self.sandbox.iter().flat_map(|policy| OPENED.into_iter().zip([&policy.libraries, &policy.runtimes]));
        opened.for_each(|(key, folders)| texts.add(key, folders_text(folders)));
        texts.add(SYSTEM, pairing.system.map(|system| system.name().to_owned()));
        texts.add("ladder.openings", pairing.openings.map(|openings| openings.to_string()));
        texts.add("ladder.seeding", pairing.seeding.map(|seeding| <&str>::from(seeding).to_owned()));
        texts.add("ladder.points", pairing.points.as_ref().map(points_text));
        texts.add("ladder.playoffs", pairing.playoffs.map(|playoffs| playoffs.to_string()));
        texts
    }

    /// Clock, limits and sandbox, to play by them again.
    ///
    /// # Errors
    /// One of them is missing or cannot be read.
    pub fn conditions(&self) -> Result<(TimeControl, Limits, SandboxPolicy), String> {
        let time = self.time.clone().map_or_else(|| read_time(&self.unread), Ok)?;
        let limits = self.limits.clone().map_or_else(|| read_limits(&self.unread), Ok)?;
        let sandbox = self.sandbox.clone().map_or_else(|| read_sandbox(&self.unread), Ok)?;
        Ok((time, limits, sandbox))
    }
}

impl From<LadderTerms> for Vec<(String, String)> {
    fn from(terms: LadderTerms) -> Vec<(String, String)> {
        terms.texts()
    }
}

impl From<Vec<(String, String)>> for LadderTerms {
    fn from(texts: Vec<(String, String)>) -> LadderTerms {
        let mut texts = Texts(texts);
        let time = texts.take(&[TIME.as_slice(), &[WALL_TIME, SCALE, PERIOD]].concat(), read_time);
        LadderTerms {
            rules: texts.take_one("game", read_rules),
            seats: texts.take_one("seats", |text| text.parse().ok()),
            time,
            limits: texts.take(&LIMITS, read_limits),
            sandbox: texts.take(&[SANDBOX, OPENED].concat(), read_sandbox),
            isolation: texts.take_one("run.isolation", |text| text.parse().ok()),
            adjudication: texts.take_one(ADJUDICATION, read_adjudication),
            turn_order: texts.take_one("turns.order", |text| {
                Some(TurnOrderTerm::Balanced(text.strip_prefix("balanced ")?.parse().ok()?))
            }),
            pairing: PairingTerms {
                system: texts.take_one(SYSTEM, |text| text.parse().ok()),
                openings: texts.take_one("ladder.openings", |text| text.parse().ok()),
                seeding: texts.take_one("ladder.seeding", |text| text.parse().ok()),
                points: texts.take_one("ladder.points", read_points),
                playoffs: texts.take_one("ladder.playoffs", |text| text.parse().ok()),
            },
            options: texts.take_options(),
            unread: texts,
        }
    }
}

impl Texts {
    fn text(&self, key: &str) -> Result<&str, String> {
        let found = self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        found.ok_or_else(|| format!("the record does not say {key}"))
    }

    fn add(&mut self, key: &str, text: Option<String>) {
        self.0.extend(text.map(|text| (key.to_owned(), text)));
    }

    fn add_all<const N: usize>(&mut self, keys: &[&str; N], texts: Option<[String; N]>) {
        let pairs = texts.into_iter().flatten().zip(keys);
        self.0.extend(pairs.map(|(text, key)| ((*key).to_owned(), text)));
    }

    /// Reads the terms that these keys hold together; they stay where this fails.
    fn take<T>(&mut self, keys: &[&str], read: fn(&Texts) -> Result<T, String>) -> Option<T> {
        let found = read(self).ok()?;
        self.0.retain(|(key, _)| !keys.contains(&key.as_str()));
        Some(found)
    }

    fn take_one<T>(&mut self, key: &str, read: fn(&str) -> Option<T>) -> Option<T> {
        let found = read(self.text(key).ok()?)?;
        self.0.retain(|(name, _)| name != key);
        Some(found)
    }

    fn take_options(&mut self) -> Vec<OptionTerm> {
        let (options, others): (Vec<_>, _) = std::mem::take(&mut self.0)
            .into_iter()
            .map(|(key, value)| option_term(&key, &value).ok_or((key, value)))
            .partition(Result::is_ok);
        self.0 = others.into_iter().filter_map(Result::err).collect();
        options.into_iter().filter_map(Result::ok).collect()
    }
}

/// People count settings from 1.
fn option_key(setting: usize, key: &str) -> String {
    format!("options.{}.{key}", setting + 1)
}

fn option_term(key: &str, value: &str) -> Option<OptionTerm> {
    let (number, name) = key.strip_prefix("options.")?.split_once('.')?;
    let setting = number.parse::<usize>().ok()?.checked_sub(1)?;
    let term = OptionTerm { setting, key: name.to_owned(), value: value.to_owned() };
    (option_key(setting, name) == key).then_some(term)
}

fn read_rules(text: &str) -> Option<RulesVersion> {
    let (game, version) = text.split_once(" rules ")?;
    Some(RulesVersion { game: game.to_owned(), version: version.parse().ok()? })
}

fn time_texts(time: &TimeControl) -> [String; 7] {
    let budget = |us: Option<u64>| us.map_or("none".to_owned(), show_duration);
    [
        <&str>::from(time.clock).to_owned(),
        budget(time.total_us),
        show_duration(time.increment_us),
        budget(time.per_move_us),
        show_duration(time.load_us),
        show_duration(time.initialize_us),
        show_duration(time.finalize_us),
    ]
}

fn read_time(texts: &Texts) -> Result<TimeControl, String> {
    let us = |key| duration(texts.text(key)?).map_err(|error| format!("{key}: {error}"));
    let budget = |key| if texts.text(key)? == "none" { Ok(None) } else { us(key).map(Some) };
    Ok(TimeControl {
        clock: texts.text("time.clock")?.parse().map_err(|_| "time.clock is not a clock")?,
        total_us: budget("time.total")?,
        increment_us: us("time.increment")?,
        period: match texts.text(PERIOD) {
            Ok(period) => Some(read_period(period).ok_or_else(|| format!("{PERIOD} is not a number of moves"))?),
            Err(_) => None,
        },
        per_move_us: budget("time.per_move")?,
        load_us: us("time.load")?,
        initialize_us: us("time.initialize")?,
        finalize_us: us("time.finalize")?,
        wall_factor: texts.text(WALL_TIME)?.parse().map_err(|_| format!("{WALL_TIME} is not a number"))?,
        scale: match texts.text(SCALE) {
            Ok(scale) => scale.parse().map_err(|_| format!("{SCALE} is neither off nor reference"))?,
            Err(_) => TimeScale::Off,
        },
    })
}

/// Only as it was written: nothing of the text may be lost.
fn read_period(text: &str) -> Option<u32> {
    text.parse().ok().filter(|period: &u32| *period > 0 && period.to_string() == text)
}

fn limits_texts(limits: &Limits) -> [String; 3] {
    [show_size(limits.memory), limits.threads.to_string(), show_size(limits.output)]
}

fn read_limits(texts: &Texts) -> Result<Limits, String> {
    let bytes = |key| size(texts.text(key)?).map_err(|error| format!("{key}: {error}"));
    let threads = texts.text("limits.threads")?.parse().map_err(|_| "limits.threads is not a number")?;
    let limits = Limits { memory: bytes("limits.memory")?, threads, output: bytes("limits.output")? };
    limits.may_be().then_some(limits).ok_or_else(|| "the record has limits that no ladder can have".to_owned())
}

fn sandbox_texts(sandbox: &SandboxPolicy) -> [String; 2] {
    [<&str>::from(sandbox.mode).to_owned(), sandbox.without.join(" ")]
}

fn read_sandbox(texts: &Texts) -> Result<SandboxPolicy, String> {
    let mode = texts.text("run.sandbox")?.parse().map_err(|_| "run.sandbox is not a mode of the sandbox")?;
    let without = texts.text("run.without")?.split_whitespace().map(str::to_owned).collect();
    let [libraries, runtimes] = OPENED.map(|key| texts.text(key).map_or(Ok(Vec::new()), read_folders));
    Ok(SandboxPolicy { mode, without, libraries: libraries?, runtimes: runtimes? })
}

fn folders_text(folders: &[PathBuf]) -> Option<String> {
    let lines: Vec<String> = folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Whole paths only: a record may say anything.
fn read_folders(text: &str) -> Result<Vec<PathBuf>, String> {
    let folders: Vec<PathBuf> = text.split('\n').map(PathBuf::from).collect();
    let is_whole =
        |folder: &PathBuf| folder.is_absolute() && folder.components().all(|part| part != Component::ParentDir);
    if folders.iter().all(is_whole) {
        Ok(folders)
    } else {
        Err("the record opens a folder without its whole path".to_owned())
    }
}

fn adjudication_text(terms: &Adjudication) -> String {
    let Adjudication { moves, value, checked } = terms;
    format!("moves {moves}, value {value}, checked {checked} thousandths")
}

fn read_adjudication(text: &str) -> Option<Adjudication> {
    let mut values = text.strip_suffix(" thousandths")?.split(", ");
    let mut next = |name: &str| values.next()?.strip_prefix(name)?.strip_prefix(' ');
    let terms = Adjudication {
        moves: next("moves")?.parse().ok()?,
        value: next("value")?.parse().ok()?,
        checked: next("checked")?.parse().ok()?,
    };
    // Nothing of the text may be lost.
    (adjudication_text(&terms) == text).then_some(terms)
}

fn points_text(points: &Points) -> String {
    let Points { win, draw, loss, crash } = points;
    let crash = crash.map_or(String::new(), |crash| format!(", crash {crash}"));
    format!("win {win}, draw {draw}, loss {loss}{crash} thousandths")
}

fn read_points(text: &str) -> Option<Points> {
    let mut values = text.strip_suffix(" thousandths")?.split(", ");
    let mut next = |name: &str| values.next()?.strip_prefix(name)?.strip_prefix(' ')?.parse().ok();
    let (win, draw, loss) = (next("win")?, next("draw")?, next("loss")?);
    let points = Points { win, draw, loss, crash: next("crash") };
    // Nothing of the text may be lost.
    (points_text(&points) == text).then_some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_wall_factor_that_nobody_set_is_in_no_id() {
        let with = |factor: &str| LadderTerms::from(pairs(&[("seats", "2"), (WALL_TIME, factor)])).texts_of_ids();
        assert_eq!(with(&WALL_FACTOR.to_string()), pairs(&[("seats", "2")]));
        assert_eq!(with("7"), pairs(&[("seats", "2"), (WALL_TIME, "7")]));
    }

    const PLAIN: [(&str, &str); 18] = [
        ("game", "chess rules 2"),
        ("seats", "2"),
        ("time.clock", "cpu"),
        ("time.total", "none"),
        ("time.increment", "0us"),
        ("time.per_move", "5s"),
        ("time.load", "5s"),
        ("time.initialize", "5s"),
        ("time.finalize", "1s"),
        ("limits.memory", "512MiB"),
        ("limits.threads", "1"),
        ("limits.output", "64KiB"),
        ("run.sandbox", "auto"),
        ("run.without", "landlock seccomp"),
        ("run.isolation", "process"),
        ("time.wall_factor", "4"),
        ("options.1.board", "square:5"),
        ("options.12.board", "a\nmap"),
    ];

    #[test]
    fn terms_are_read_and_written_as_they_are() {
        let terms = LadderTerms::from(pairs(&PLAIN));
        assert_eq!((terms.turn_order, terms.time.as_ref().unwrap().wall_factor), (None, 4));
        assert_eq!(terms.sandbox.as_ref().unwrap().without, ["landlock", "seccomp"]);
        assert_eq!(terms.options[1].setting, 11);
        assert_eq!((terms.unread.0.len(), terms.texts()), (0, pairs(&PLAIN)));
        let mut drawn = PLAIN[..15].to_vec();
        drawn.extend([
            ("adjudication", "moves 6, value 9000000, checked 100 thousandths"),
            ("turns.order", "balanced 1"),
            ("time.wall_factor", "4"),
            ("ladder.pairing", "swiss"),
            ("ladder.openings", "3"),
            ("ladder.seeding", "drawn"),
            ("ladder.points", "win 1000, draw 500, loss 0, crash -1000 thousandths"),
            ("ladder.playoffs", "2"),
        ]);
        let terms = LadderTerms::from(pairs(&drawn));
        assert_eq!(terms.turn_order, Some(TurnOrderTerm::Balanced(1)));
        assert_eq!(terms.adjudication, Some(Adjudication { moves: 6, value: 9_000_000, checked: 100 }));
        assert_eq!(terms.pairing.points.as_ref().unwrap().crash, Some(-1000));
        assert_eq!((terms.unread.0.len(), terms.texts()), (0, pairs(&drawn)));
    }

    #[test]
    fn a_period_is_said_only_where_there_is_one() {
        let mut periods = PLAIN[..16].to_vec();
        periods.push(("time.period", "40"));
        let terms = LadderTerms::from(pairs(&periods));
        assert_eq!(terms.time.as_ref().unwrap().period, Some(40));
        assert_eq!((terms.unread.0.len(), terms.texts()), (0, pairs(&periods)));
        let now = LadderTerms::from(pairs(&PLAIN[..16]));
        assert_eq!(terms.differences(&now), ["time.period: was 40, is now none"]);
        for odd in ["0", "+40", "many"] {
            periods[16].1 = odd;
            assert_eq!(LadderTerms::from(pairs(&periods)).time, None, "{odd}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_kept_and_said() {
        let mut odd = PLAIN.to_vec();
        odd[3] = ("time.total", "a lot");
        odd.extend([("options.01.board", "x"), ("ladder.points", "win 1, draw 0"), ("later", "unknown")]);
        let terms = LadderTerms::from(pairs(&odd));
        assert_eq!((&terms.time, &terms.pairing.points, terms.options.len()), (&None, &None, 2));
        let kept: std::collections::BTreeSet<_> = terms.texts().into_iter().collect();
        assert_eq!(kept, pairs(&odd).into_iter().collect());
        assert_eq!(terms.conditions().unwrap_err(), "time.total: write a number and a unit, such as \"1s\"");
        let error = LadderTerms::from(pairs(&[("game", "chess")])).conditions().unwrap_err();
        assert_eq!(error, "the record does not say time.clock");
    }
}
