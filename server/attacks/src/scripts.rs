//! Acts of programs: first lines that are wrong, and what scripts try. Each would answer what no client answers, and so
//! lose by another fault, if it got what it must not get.

use super::{Act, Outcome};

/// Name, what must come of it, the layers without all of which it comes to something else, and the script.
const SCRIPTS: [(&str, &str, &str, &str); 14] = [
    ("line_ends_the_words", "early-exit", "", "#!/bin/sh -- --sandbox off --program /bin/sh\n"),
    ("line_opens_the_root", "early-exit", "", "#!/bin/sh -- --also / --program /bin/sh\n"),
    ("line_names_nothing", "load-failure", "", "#!\n"),
    ("line_names_what_is_missing", "load-failure", "", "#!/nowhere/sh\n"),
    ("line_names_a_folder", "load-failure", "", "#!/usr/bin\n"),
    ("line_names_a_file_of_settings", "load-failure", "", "#!/etc/passwd\n"),
    ("line_is_relative", "load-failure", "", "#!bin/sh\n"),
    ("line_has_a_nul", "load-failure", "", "#!/bin/sh \0\n"),
    ("script_reads_settings", "early-exit", "landlock", "#!/bin/sh\nread line < /etc/passwd && echo got\nexit 3\n"),
    (
        "script_lists_the_root",
        "early-exit",
        "landlock",
        "#!/bin/sh\nfor f in /*; do [ $f = /etc ] && echo got; done\nexit 3\n",
    ),
    ("script_forks", "early-exit", "seccomp", "#!/bin/sh\n( echo got )\nexit 3\n"),
    ("script_starts_itself_again", "early-exit", "seccomp", "#!/bin/sh\nexec /bin/sh -c 'echo got'\nexit 3\n"),
    ("script_becomes_a_program", "early-exit", "landlock seccomp", "#!/bin/sh\nexec /usr/bin/id\nexit 3\n"),
    (
        "script_makes_a_file",
        "early-exit",
        "landlock seccomp",
        "#!/bin/sh\n: > /tmp/agon-left-behind && echo got\nexit 3\n",
    ),
];

/// All scripts, each tried while the client is loaded.
pub(crate) fn acts() -> impl Iterator<Item = Act> {
    SCRIPTS.iter().map(|(name, fault, layers, _)| Act {
        name: (*name).to_owned(),
        phases: vec![("load", Outcome::Loses((*fault).to_owned()))],
        layers: layers.split_whitespace().map(str::to_owned).collect(),
    })
}

/// The script of an act, where it is one.
pub(crate) fn script(act: &str) -> Option<&'static str> {
    SCRIPTS.iter().find(|(name, ..)| *name == act).map(|(.., script)| *script)
}
