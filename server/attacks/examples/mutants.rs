//! Leaves out one rule of the sandbox after another, and says which no act misses: `mutants HOST [WORD...]`, only the
//! rules whose names begin with one of the words. The host must be built for it: `tools/mutants` does that.
//!
//! A rule is missed where an act comes to something else than before, twice, first with the other layers left out, so
//! that none hides what is missing. Some rules another one makes up for, which is checked, too: both left out, an act
//! must see it.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![expect(unsafe_code)]

use agon_attacks::{Attempt, Ground, LIMITS, corpus, play};
use agon_model::{Limits, SandboxPolicy};
use agon_player::launcher::Launcher;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The number of rules that are tried at once.
const LANES: usize = 2;
/// Acts that take longer say nothing of a rule.
const QUICK: Duration = Duration::from_millis(60);
const LAYERS: [&str; 4] = ["limits", "landlock", "privileges", "seccomp"];
/// A user whose folder the clients lie in.
const NOBODY: u32 = 65534;
/// From here on all processors number calls alike, and a call without arguments harms nothing.
const NEW_CALLS: u32 = 424;

/// The server's own limits, apart from the layers of the host. A rule is left out by a limit without end.
const HOLDINGS: [(&str, Limits); 2] = [
    ("holdings memory", Limits { memory: 1 << 30, ..LIMITS }),
    ("holdings threads", Limits { threads: 1 << 20, ..LIMITS }),
];

/// Rules that another one makes up for: no act sees that one is missing, and some act that both are.
const MADE_UP_FOR: &[(&str, &str, &str)] = &[];

/// Rules that nothing here can show, and why.
const NOT_HERE: &[(&str, &str)] = &[
    ("landlock Refer", "the kernel denies it to whoever has a list of any rights"),
    ("privileges core of its own", "only kernels with core scheduling have it, on cores that run two threads at once"),
    ("seccomp 112:0", "the kernel refuses it alike to the leader of a group, as every host is"),
    ("seccomp 335:0", "the kernel lets it by every filter, and ends whoever calls it but from a probe"),
    ("seccomp 336:0", "the kernel lets it by every filter, and ends whoever calls it but from a probe"),
    ("landlock IoctlDev", "a right of descriptors of devices, none of which can be opened"),
];

/// The outcome of leaving out a rule.
enum Found {
    /// This act misses it.
    Seen(String),
    /// Nothing changes without it, for this reason.
    Equivalent(String),
    /// No act misses it.
    Survives,
}

/// The layers that stand, and whether each host is started by itself.
type Stands = (Vec<&'static str>, bool);
type Outcomes = BTreeMap<String, (String, Duration)>;

/// A host of its own, in a folder of its own.
struct Lane {
    host: PathBuf,
    folder: PathBuf,
}

/// The outcomes before any rule is left out.
struct Before {
    /// The outcome of each act with these layers alone.
    outcomes: BTreeMap<Stands, Outcomes>,
    /// The calls' names.
    calls: BTreeMap<u32, String>,
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let Some(host) = words.next().map(PathBuf::from) else {
        eprintln!("usage: mutants HOST [WORD...]");
        return ExitCode::from(2);
    };
    let words: Vec<String> = words.collect();
    match run(&host, &words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("mutants: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(host: &Path, words: &[String]) -> Result<bool, String> {
    let lanes: Vec<Lane> = (0..LANES).map(|number| Lane::new(host, number)).collect::<Result<_, _>>()?;
    let listed =
        Command::new(host).arg("--mutants").output().map_err(|error| format!("{}: {error}", host.display()))?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let all = HOLDINGS.iter().map(|rule| rule.0).chain(listed.lines());
    let rules: Vec<&str> =
        all.filter(|rule| words.is_empty() || words.iter().any(|word| rule.starts_with(word.as_str()))).collect();
    let before = Before::look(&lanes[0], &rules)?;
    let (next, table) = (AtomicUsize::new(0), Mutex::new(BTreeMap::<usize, Found>::new()));
    std::thread::scope(|scope| -> Result<(), String> {
        let work = |lane: &Lane| {
            while let Some((index, rule)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, *rules.get(at)?)))
            {
                let found = lane.leave_out(rule, &before)?;
                println!("{}", found.line(&before.title(rule)));
                table.lock().map_err(|_| "a lane broke")?.insert(index, found);
            }
            Ok::<(), String>(())
        };
        let running: Vec<_> = lanes.iter().map(|lane| scope.spawn(move || work(lane))).collect();
        running.into_iter().try_for_each(|lane| lane.join().map_err(|_| "a lane broke".to_owned())?)
    })?;
    let table = table.into_inner().map_err(|_| "a lane broke")?;
    Ok(summarise(&rules, &table))
}

/// How many of each layer; whether all are missed or explained.
fn summarise(rules: &[&str], table: &BTreeMap<usize, Found>) -> bool {
    let mut layers: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (index, found) in table {
        let kind = match found {
            Found::Seen(_) => 0,
            Found::Equivalent(_) => 1,
            Found::Survives => 2,
        };
        layers.entry(layer_of(rules[*index])).or_default()[kind] += 1;
    }
    println!(
        "\n| layer | rules left out | missed by an act | nothing changes, explained | not missed |\n|---|---|---|---|---|"
    );
    for (layer, [seen, equivalent, survives]) in &layers {
        println!("| {layer} | {} | {seen} | {equivalent} | {survives} |", seen + equivalent + survives);
    }
    layers.values().all(|counts| counts[2] == 0)
}

impl Found {
    fn line(&self, rule: &str) -> String {
        match self {
            Found::Seen(act) => format!("seen        {rule}: {act}"),
            Found::Equivalent(why) => format!("equivalent  {rule}: {why}"),
            Found::Survives => format!("SURVIVES    {rule}"),
        }
    }
}

fn layer_of(rule: &str) -> &str {
    rule.split(' ').next().unwrap_or_default()
}

/// A call's number in the name of a rule of the filter.
fn call_of(rule: &str) -> Option<u32> {
    rule.strip_prefix("seccomp ")?.split(':').next()?.parse().ok()
}

/// Which layers stand while a rule of this one is left out, one choice after the other.
fn stands(rule: &str) -> Vec<Stands> {
    let all = LAYERS.to_vec();
    let choices = match LAYERS.into_iter().find(|layer| *layer == layer_of(rule)) {
        Some("seccomp") => vec![vec!["seccomp"], vec!["landlock", "seccomp"], all],
        Some(layer) => vec![vec![layer], all],
        None => vec![all],
    };
    // Of what a fork server enters for its hosts the order does not matter.
    choices.into_iter().map(|layers| (layers, layer_of(rule) == "order")).collect()
}

impl Before {
    fn look(lane: &Lane, rules: &[&str]) -> Result<Before, String> {
        let mut before = Before { outcomes: BTreeMap::new(), calls: names_of_calls()? };
        let wanted: BTreeSet<_> = rules.iter().flat_map(|rule| stands(rule)).collect();
        lane.choose("")?;
        for stands in wanted {
            let outcomes = lane.play(&stands, &LIMITS, &acts_for(&stands.0)?)?;
            before.outcomes.insert(stands, outcomes);
        }
        Ok(before)
    }

    fn title(&self, rule: &str) -> String {
        match call_of(rule).and_then(|call| self.calls.get(&call)) {
            Some(name) => format!("{rule} ({name})"),
            None => rule.to_owned(),
        }
    }
}

/// All acts where the filter stands; without it only those that a layer which stands holds, since others do harm then.
fn acts_for(layers: &[&str]) -> Result<Vec<String>, String> {
    let is_safe = |act: &agon_attacks::Act| {
        layers.contains(&"seccomp") || act.layers.iter().any(|layer| layers.contains(&layer.as_str()))
    };
    Ok(corpus()?.acts.into_iter().filter(is_safe).map(|act| act.name).collect())
}

/// As the C compiler's headers have them.
fn names_of_calls() -> Result<BTreeMap<u32, String>, String> {
    let mut words = Command::new("cc");
    words.args(["-E", "-dM", "-include", "sys/syscall.h", "-x", "c", "/dev/null"]);
    let told = words.output().map_err(|error| format!("cc: {error}"))?;
    let name = |line: &str| {
        let (name, number) = line.strip_prefix("#define __NR_")?.split_once(' ')?;
        Some((number.parse().ok()?, name.to_owned()))
    };
    Ok(String::from_utf8_lossy(&told.stdout).lines().filter_map(name).collect())
}

impl Lane {
    fn new(host: &Path, number: usize) -> Result<Lane, String> {
        let folder = host.with_file_name(format!("lane-{number}"));
        let lane = Lane { host: folder.join("agon-host"), folder };
        std::fs::create_dir_all(&lane.folder)
            .and_then(|()| std::fs::copy(host, &lane.host))
            .map_err(|error| format!("{}: {error}", lane.folder.display()))?;
        Ok(lane)
    }

    /// Which rules the next hosts leave out, a line each.
    fn choose(&self, rules: &str) -> Result<(), String> {
        std::fs::write(self.host.with_extension("mutant"), rules).map_err(|error| error.to_string())
    }

    fn leave_out(&self, rule: &str, before: &Before) -> Result<Found, String> {
        let seen = self.search(rule, rule, before)?;
        if let Some((_, with, why)) = MADE_UP_FOR.iter().find(|known| known.0 == rule) {
            let both = self.search(rule, &format!("{rule}\n{with}"), before)?;
            return Ok(match (seen, both) {
                (None, Some(act)) => Found::Equivalent(format!("{why}; without \"{with}\", too: {act}")),
                (Some(act), _) => Found::Seen(act),
                (None, None) => Found::Survives,
            });
        }
        Ok(match (seen, NOT_HERE.iter().find(|known| known.0 == rule)) {
            (Some(act), _) => Found::Seen(act),
            (None, Some((_, why))) => Found::Equivalent((*why).to_owned()),
            (None, None) if call_of(rule).is_some_and(is_unknown_to_the_kernel) => {
                Found::Equivalent("this kernel has no such call, and answers the same".to_owned())
            }
            (None, None) => Found::Survives,
        })
    }

    /// The first act that comes to something else, where `chosen` is left out.
    fn search(&self, rule: &str, chosen: &str, before: &Before) -> Result<Option<String>, String> {
        let limits = HOLDINGS.iter().find(|known| known.0 == rule).map_or(LIMITS, |known| known.1.clone());
        self.choose(chosen)?;
        for layers in stands(rule) {
            let outcomes = &before.outcomes[&layers];
            for acts in in_order(rule, outcomes, before)? {
                let came = self.play(&layers, &limits, &acts)?;
                let is_other = |act: &&String| came.get(*act).is_some_and(|came| came.0 != outcomes[*act].0);
                for act in acts.iter().filter(is_other) {
                    let again = self.play(&layers, &limits, std::slice::from_ref(act))?;
                    if again[act].0 != outcomes[act].0 {
                        return Ok(Some(format!("{act}: {}, not {}", again[act].0, outcomes[act].0)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Plays these acts with these layers alone, and measures the time.
    fn play(&self, (layers, is_started): &Stands, limits: &Limits, acts: &[String]) -> Result<Outcomes, String> {
        let mut chosen = corpus()?;
        chosen.acts.retain(|act| acts.contains(&act.name));
        chosen.acts.iter_mut().for_each(|act| act.phases.retain(|phase| phase.0 == "play"));
        let without = LAYERS.into_iter().filter(|layer| !layers.contains(layer)).map(str::to_owned).collect();
        let sandbox = SandboxPolicy { without, ..SandboxPolicy::default() };
        let folder = self.folder.join("clients");
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        // Root reaches it as root only, as where it plays the clients of another user.
        std::os::unix::fs::chown(&folder, Some(NOBODY), None).map_err(|error| error.to_string())?;
        std::fs::set_permissions(&folder, Permissions::from_mode(0o700)).map_err(|error| error.to_string())?;
        let launcher = if *is_started { Launcher::by_start(&self.host) } else { Launcher::by_fork(&self.host) };
        let ground = Ground { launcher, folder: &folder, sandbox: &sandbox, limits: limits.clone() };
        let (mut outcomes, mut began) = (Outcomes::new(), Instant::now());
        play(&chosen, agon_games::GAMES, &ground, &mut |attempt| {
            let took = began.elapsed();
            began = Instant::now();
            outcomes.insert(attempt.act.clone(), (came(&attempt), took));
        })?;
        Ok(outcomes)
    }
}

/// The acts in the order in which they are likely to see it: those of this very call, those that the layer holds, all
/// others that are quick.
fn in_order(rule: &str, outcomes: &Outcomes, before: &Before) -> Result<Vec<Vec<String>>, String> {
    let layer = layer_of(rule);
    let name = call_of(rule).and_then(|call| before.calls.get(&call)).map(|name| format!("call_{name}"));
    let word = name.or_else(|| rule.strip_prefix("holdings ").map(str::to_owned));
    let word = word.unwrap_or_else(|| rule.trim_end_matches(" whole").replace(' ', "_").to_lowercase());
    let mut parts = [const { Vec::new() }; 3];
    for act in corpus()?.acts.into_iter().filter(|act| outcomes.contains_key(&act.name)) {
        let is_held = act.layers.iter().any(|name| name == layer);
        let is_quick = outcomes[&act.name].1 < QUICK;
        match (act.name.starts_with(&word), is_held, is_quick || layer == "holdings") {
            (true, _, _) => parts[0].push(act.name),
            (_, true, _) => parts[1].push(act.name),
            (_, _, true) => parts[2].push(act.name),
            _ => {}
        }
    }
    Ok(parts.into_iter().filter(|part| !part.is_empty()).collect())
}

/// The outcome without its figures, and the layers that were entered.
fn came(attempt: &Attempt) -> String {
    let came = attempt.came.split(" (").next().unwrap_or_default();
    format!("{came}, in {}", attempt.entered.join(" "))
}

fn is_unknown_to_the_kernel(call: u32) -> bool {
    if call < NEW_CALLS {
        return false;
    }
    // SAFETY: no call takes these arguments: it fails before it does anything.
    let result = unsafe { libc::syscall(i64::from(call), -1, -1, -1, -1, -1, -1) };
    result == -1 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOSYS)
}
