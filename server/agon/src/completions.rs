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
    agon_command::output::write_raw(&script);
    status::DONE
}

/// Writes a page for each command.
pub fn man(args: &ManArgs, command: Command) -> Result<u8, Failure> {
    let trouble = |error| Failure::trouble(format!("{}: {error}", args.out.display()));
    std::fs::create_dir_all(&args.out).map_err(trouble)?;
    clap_mangen::generate_to(command, &args.out).map_err(trouble)?;
    println!("written to {0}; man {0}/agon-match.1 shows one", args.out.display());
    Ok(status::DONE)
}
