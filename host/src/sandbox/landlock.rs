//! Rung 3: Landlock. No file but the client's own and the system's libraries, no TCP, no signals to others.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use std::path::{Path, PathBuf};

/// Where the loader finds libraries. On systems where one is a link to the other the second costs two system calls.
const LIBRARIES: [&str; 6] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache"];

/// What this version of agon knows how to forbid; older kernels forbid less.
const KNOWN: ABI = ABI::V6;

/// Restricts the process to reading those, `file` and `also`. Reading suffices to map code; nothing may be executed as a program.
pub(super) fn enter(file: &Path, also: &[PathBuf]) -> Result<(), String> {
    let files = also.iter().map(PathBuf::as_path).chain([file]);
    let status = restrict(files).map_err(|error| error.to_string())?;
    match status {
        RulesetStatus::NotEnforced => Err("the kernel has no Landlock".into()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

fn restrict<'a>(files: impl Iterator<Item = &'a Path>) -> Result<RulesetStatus, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?
        .no_new_privs(true);
    for path in LIBRARIES.iter().map(Path::new).chain(files) {
        rules = allow(rules, path)?;
    }
    Ok(rules.restrict_self()?.ruleset)
}

fn allow(rules: RulesetCreated, path: &Path) -> Result<RulesetCreated, RulesetError> {
    let read: BitFlags<AccessFs> = AccessFs::ReadFile.into();
    match PathFd::new(path) {
        Ok(opened) => rules.add_rule(PathBeneath::new(opened, read)),
        Err(_) => Ok(rules), // what is not there needs no rule; a missing client is told when it is opened
    }
}
