//! Decides, in one place, whether terms require less than the full sandbox.

use crate::visible::escape;
use crate::{Isolation, SandboxMode, SandboxPolicy};
use std::fmt;
use std::path::PathBuf;

/// How terms require less than the full sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// `isolation = "none"`: the server's own process calls the clients.
    InServer,
    /// The terms have `sandbox = "off"`.
    Off,
    /// `without` leaves these layers out, and clients read these folders, which the ladder opens to them.
    Policy { without: Vec<String>, opens: Vec<PathBuf> },
    /// The terms are silent about it, or unreadable for this agon.
    Untold,
}

impl Weakness {
    /// The weakness of terms; `None` = they require the full sandbox.
    pub fn of(isolation: Option<Isolation>, sandbox: Option<&SandboxPolicy>) -> Option<Weakness> {
        match (isolation, sandbox) {
            (Some(Isolation::None), _) => Some(Weakness::InServer),
            (_, Some(SandboxPolicy { mode: SandboxMode::Off, .. })) => Some(Weakness::Off),
            (isolation, Some(policy)) if isolation.is_some() || !policy.without.is_empty() => {
                let (without, opens) = (policy.without.clone(), policy.folders().cloned().collect::<Vec<_>>());
                (!without.is_empty() || !opens.is_empty()).then_some(Weakness::Policy { without, opens })
            }
            _ => Some(Weakness::Untold),
        }
    }

    /// Whether results are no measure of the clients: a folder that a teacher opens does not make them so.
    pub fn is_for_debugging(&self) -> bool {
        !matches!(self, Weakness::Policy { without, .. } if without.is_empty())
    }
}

impl SandboxPolicy {
    /// All folders that a ladder opens to clients.
    pub fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.libraries.iter().chain(&self.runtimes)
    }

    /// The same policy, or this machine's full sandbox if it requires less.
    #[must_use]
    pub fn strengthened(self) -> SandboxPolicy {
        let mode = if self.mode == SandboxMode::Off { SandboxMode::Auto } else { self.mode };
        SandboxPolicy { mode, ..SandboxPolicy::default() }
    }
}

impl fmt::Display for Weakness {
    /// The layers' names may be a stranger's words, and many.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Weakness::InServer => f.write_str("clients run inside the server, without a sandbox"),
            Weakness::Off => f.write_str("the sandbox is off"),
            Weakness::Policy { without, opens } => {
                let folders: Vec<String> = opens.iter().map(|folder| folder.display().to_string()).collect();
                let lacks = format!("the sandbox lacks {}", escape(&without.join(", "), 80));
                let reads = format!("clients may also read {}", escape(&folders.join(", "), 200));
                let parts = [(!without.is_empty()).then_some(lacks), (!opens.is_empty()).then_some(reads)];
                f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", and "))
            }
            Weakness::Untold => f.write_str("the record does not say which sandbox holds"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_less_than_every_layer_is_weak_and_can_be_strengthened() {
        let policy = |mode, without: &[&str]| SandboxPolicy {
            mode,
            without: without.iter().map(|layer| (*layer).to_owned()).collect(),
            ..SandboxPolicy::default()
        };
        let of = |isolation, sandbox: &SandboxPolicy| Weakness::of(Some(isolation), Some(sandbox));
        for mode in [SandboxMode::Auto, SandboxMode::Strict, SandboxMode::Off] {
            for without in [&[][..], &["seccomp"], &["limits", "privileges", "landlock", "seccomp"], &["nonsense"]] {
                let policy = policy(mode, without);
                for isolation in [Isolation::Process, Isolation::Reuse] {
                    let is_full = mode != SandboxMode::Off && without.is_empty();
                    assert_eq!(of(isolation, &policy).is_none(), is_full, "{policy:?}");
                    assert_eq!(of(isolation, &policy.clone().strengthened()), None, "{policy:?}");
                    assert_eq!(policy.clone().strengthened() == policy, is_full, "only what is less is changed");
                }
                assert_eq!(of(Isolation::None, &policy), Some(Weakness::InServer));
                assert!(Weakness::of(None, Some(&policy)).is_some());
            }
        }
        for opens in [
            SandboxPolicy { libraries: vec!["/net/gsl".into()], ..SandboxPolicy::default() },
            SandboxPolicy { runtimes: vec!["/net/jdk".into()], ..SandboxPolicy::default() },
        ] {
            let weakness = of(Isolation::Process, &opens).unwrap();
            assert!(weakness.to_string().starts_with("clients may also read /net/") && !weakness.is_for_debugging());
            assert_eq!(of(Isolation::Reuse, &opens.strengthened()), None);
        }
        assert_eq!(Weakness::of(Some(Isolation::Process), None), Some(Weakness::Untold));
        let both = SandboxPolicy { libraries: vec!["/net/gsl".into()], ..policy(SandboxMode::Auto, &["limits"]) };
        let both = of(Isolation::Process, &both).unwrap();
        assert_eq!(both.to_string(), "the sandbox lacks limits, and clients may also read /net/gsl");
        assert!(both.is_for_debugging());
        let long = Weakness::Policy { without: vec!["\u{1b}[2J".repeat(10_000)], opens: Vec::new() }.to_string();
        assert!(long.len() < 1000 && !long.contains('\u{1b}'), "{long}");
    }
}
