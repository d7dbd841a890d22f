//! The layers of the sandbox that hold on this machine, by a host that starts with a file that is not a client.

use super::launcher::Launcher;
use super::process::{Launch, Process};
use super::{Player, PlayerSummary};
use agon_abi::{Blob, Layer};
use agon_model::{
    ClientFiles, ClockKind, Limits, NoticeKind, SandboxMode, SandboxPolicy, TimeControl, TimeScale, WALL_FACTOR,
};
use std::path::Path;
use std::sync::Arc;

/// The layers that hold for a host, by name; `None` where none starts.
pub fn held_layers(host: &Path) -> Option<Vec<String>> {
    let mut host = Process::new(launch(host));
    // The host finds no client; what counts is whether it came so far.
    let _ = host.load();
    let PlayerSummary { layers, notices, .. } = host.dismiss(0, false);
    // One that lacks all layers has a notice of each.
    let has_begun = !layers.is_empty() || notices.iter().any(|notice| notice.kind == NoticeKind::MissingLayer);
    has_begun.then_some(layers)
}

/// Warns of the layers that the policy asks for and this machine lacks, most of all if it lacks all of them. There is no
/// warning where the policy plays nothing without them, and where no host starts.
pub fn warn_of_missing_layers(host: &Path, policy: &SandboxPolicy, warn: &mut dyn FnMut(&str)) {
    if policy.mode == SandboxMode::Auto
        && let Some(held) = held_layers(host)
        && let Some(warning) = warning(&held, &policy.without)
    {
        warn(&warning);
    }
}

/// The warning where these layers hold, and these are left out on purpose.
fn warning(held: &[String], without: &[String]) -> Option<String> {
    let is_missing = |layer: &Layer| ![held, without].iter().any(|names| names.iter().any(|name| name == layer.name()));
    let missing: Vec<Layer> = Layer::ALL.into_iter().filter(is_missing).collect();
    (!missing.is_empty()).then(|| describe(&missing))
}

fn describe(missing: &[Layer]) -> String {
    let acts: Vec<&str> = missing.iter().map(|layer| allowed_without(*layer)).collect();
    if missing.len() == Layer::ALL.len() {
        let acts = acts.join(", and ");
        return format!(
            "this machine has NO layer of the sandbox: clients can {acts}; play no file of a stranger here; agon doctor \
             says more, and [run] sandbox = \"strict\" refuses to play"
        );
    }
    let names: Vec<&str> = missing.iter().map(|layer| layer.name()).collect();
    format!(
        "this machine has no {}: clients can {}; agon doctor says more",
        names.join(" and no "),
        acts.join(", and ")
    )
}

/// The acts that a client can do without this layer.
fn allowed_without(layer: Layer) -> &'static str {
    match layer {
        Layer::Limits => "write files and fill the disk",
        Layer::Privileges => "outlive a match",
        Layer::Landlock => "read your files",
        Layer::Seccomp => "start programs and use the network",
    }
}

fn launch(host: &Path) -> Launch {
    const SECOND: u64 = 1_000_000;
    Launch {
        launcher: Launcher::by_start(host),
        files: ClientFiles::alone("/dev/null"),
        file_name: String::new(),
        keep: false,
        expected: Arc::new(Blob::new()),
        speech: None,
        time: TimeControl {
            clock: ClockKind::Cpu,
            total_us: None,
            increment_us: 0,
            period: None,
            per_move_us: Some(SECOND),
            load_us: 5 * SECOND,
            initialize_us: SECOND,
            finalize_us: SECOND,
            wall_factor: WALL_FACTOR,
            scale: TimeScale::Off,
        },
        limits: Limits { output: 4 << 10, ..Limits::DEFAULT },
        sandbox: SandboxPolicy::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_warning_names_each_missing_layer_and_what_a_client_can_do_without_it() {
        let one = "this machine has no landlock: clients can read your files; agon doctor says more";
        assert_eq!(describe(&[Layer::Landlock]), one);
        let two = describe(&[Layer::Landlock, Layer::Seccomp]);
        assert!(two.starts_with("this machine has no landlock and no seccomp: clients can read your files, and start"));
    }

    #[test]
    fn a_machine_without_any_layer_is_warned_of_most_of_all() {
        let names = |layers: &[Layer]| layers.iter().map(|layer| layer.name().to_owned()).collect::<Vec<_>>();
        let none = warning(&[], &[]).unwrap();
        assert!(none.starts_with("this machine has NO layer of the sandbox: clients can write files"), "{none}");
        assert!(none.contains("read your files") && none.contains("play no file of a stranger here"), "{none}");
        assert_eq!(warning(&names(&Layer::ALL), &[]), None);
        // Those that are left out on purpose are not missing.
        assert_eq!(warning(&[], &names(&Layer::ALL)), None);
        assert!(warning(&[], &names(&[Layer::Limits])).unwrap().starts_with("this machine has no privileges and no"));
    }
}
