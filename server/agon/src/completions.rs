//! `agon completions SHELL` and `agon man`: what shells complete, and pages for `man`, made from the command line
//! itself.

use agon_command::{Failure, status};
use clap::{Args, Command};
use clap_complete::Shell;
use std::path::PathBuf;

/// The arguments of `agon completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell. For bash, save the output in ~/.local/share/bash-completion/completions/agon; for zsh, in _agon in a
    /// folder of $fpath; for fish, in ~/.config/fish/completions/agon.fish. For elvish, append it to
    /// ~/.config/elvish/rc.elv; for powershell, to the file that $PROFILE names.
    #[arg(value_enum)]
    shell: Shell,
}

/// The arguments of `agon man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// The folder for the pages, one for each command.
    #[arg(long, value_name = "DIR", default_value = "man")]
    out: PathBuf,
}

/// Prints what a shell reads.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "agon", &mut script);
    let script = String::from_utf8_lossy(&script);
    // Nothing of a stranger's is in it, and a tab of it must stay one.
    match args.shell {
        Shell::Fish => agon_command::output::write_raw(&for_older_fish(&script)),
        _ => agon_command::output::write_raw(&script),
    }
    status::DONE
}

/// Gives each option without a letter one that is not used, marked as such: the `argparse` of fish before 3.2 asks for it.
fn for_older_fish(script: &str) -> String {
    const BEGIN: &str = "    string join \\n ";
    let line = |line: &str| match line.strip_prefix(BEGIN) {
        Some(options) => format!("{BEGIN}{}\n", with_letters(options)),
        None => format!("{line}\n"),
    };
    script.lines().map(line).collect()
}

fn with_letters(options: &str) -> String {
    let letter = |option: &str| option.chars().next().filter(|_| option[1..].starts_with('/'));
    let used: Vec<char> = options.split(' ').filter_map(letter).collect();
    let mut free = ('A'..='Z').filter(|letter| !used.contains(letter));
    let named = |option: &str| match (option.len() > 2 && letter(option).is_none()).then(|| free.next()).flatten() {
        Some(letter) => format!("{letter}-{option}"),
        None => option.to_owned(),
    };
    options.split(' ').map(named).collect::<Vec<_>>().join(" ")
}

/// Writes a page for each command.
pub fn man(args: &ManArgs, command: Command) -> Result<u8, Failure> {
    let trouble = |error| Failure::trouble(format!("{}: {error}", args.out.display()));
    std::fs::create_dir_all(&args.out).map_err(trouble)?;
    clap_mangen::generate_to(command, &args.out).map_err(trouble)?;
    println!("the pages are in {0}/; to read one: man {0}/agon-match.1", args.out.display());
    Ok(status::DONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_without_a_letter_gets_one_for_older_fish() {
        assert_eq!(
            with_letters("v/verbose log-json= A/all h V/version x="),
            "v/verbose B-log-json= A/all h V/version x="
        );
        let script = "function f\n    string join \\n log-json= h/help\nend\n";
        assert_eq!(for_older_fish(script), "function f\n    string join \\n A-log-json= h/help\nend\n");
    }
}
