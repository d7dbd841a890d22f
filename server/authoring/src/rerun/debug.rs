//! A client in a debugger's hands: which layers of the sandbox stay around it, and the question where one does not.

use super::Failure;
use agon_abi::{Layer, Layers};
use agon_command::status;
use agon_model::shell;
use std::ffi::OsString;
use std::io::{BufRead, IsTerminal, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tool that looks into the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Debugger {
    /// It looks from outside, so that the sandbox holds. What the host's handler answers is nothing to stop at.
    Gdb,
    /// It runs the client's code itself, in one process with it, and reads files and maps memory as no client may.
    Valgrind,
}

impl Debugger {
    fn words(self) -> &'static [&'static str] {
        match self {
            Debugger::Gdb => &["gdb", "-q", "-ex", "handle SIGSYS nostop noprint pass", "--args"],
            Debugger::Valgrind => &["valgrind", "--leak-check=full"],
        }
    }

    /// Layers that it cannot work with.
    fn without(self) -> &'static [Layer] {
        match self {
            Debugger::Gdb => &[],
            Debugger::Valgrind => WITHOUT_FOR_VALGRIND,
        }
    }

    /// The layers under which the client runs with this tool, unless the user trusts it.
    pub(super) fn layers(self, trust: bool) -> Layers {
        if trust { Layers::NONE } else { all_but(self.without()) }
    }
}

/// Layers with which valgrind cannot work: it reads files and maps memory itself, in the client's process.
pub const WITHOUT_FOR_VALGRIND: &[Layer] = &[Layer::Landlock, Layer::Seccomp];

/// The host asks the kernel whether the address of a name can be read, before it reads it: valgrind takes that for an
/// error where the name ends within eight bytes of a block.
const OWN_QUESTION: &str =
    "{\n a_name_is_read_with_care\n Memcheck:Param\n rt_sigprocmask(set)\n fun:syscall\n obj:*/agon-host\n}\n";

/// The option by which valgrind reports nothing of the host's own; writes the file that it names next to the requests.
///
/// # Errors
/// The file cannot be written.
pub fn suppressions(requests: &Path) -> Result<OsString, Failure> {
    let file = requests.with_file_name("valgrind.supp");
    std::fs::write(&file, OWN_QUESTION).map_err(|error| Failure::trouble(format!("{}: {error}", file.display())))?;
    let mut option = OsString::from("--suppressions=");
    option.push(file);
    Ok(option)
}

/// All layers but these.
pub fn all_but(layers: &[Layer]) -> Layers {
    layers.iter().fold(Layers::ALL, |all, layer| all.without(*layer))
}

/// Starts it on a host with these words, or says how where there is no terminal; asks before a client is let out of a
/// layer.
pub(super) fn start(debugger: &Debugger, trust: bool, host: &Path, words: Vec<PathBuf>) -> Result<u8, Failure> {
    let is_valgrind = *debugger == Debugger::Valgrind;
    let requests = words.last().filter(|_| is_valgrind);
    let suppressions = requests.map(|requests| suppressions(requests)).transpose()?;
    let line: Vec<OsString> = (debugger.words().iter().map(OsString::from))
        .chain(suppressions)
        .chain([host.as_os_str().to_owned()])
        .chain(words.into_iter().map(PathBuf::into_os_string))
        .collect();
    let quoted: Vec<String> = line.iter().map(|word| shell::word(&word.to_string_lossy())).collect();
    println!("{}", quoted.join(" "));
    let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if !trust && !debugger.without().is_empty() {
        let layers: Vec<&str> = debugger.without().iter().map(|layer| layer.name()).collect();
        let layers = layers.join(" and ");
        eprintln!(
            "caution: under {} the client runs without {layers}: it can read and write your files and use the network as you can",
            debugger.words()[0]
        );
        if at_terminal && !is_wanted() {
            return Ok(status::DONE);
        }
    }
    if !at_terminal {
        eprintln!("note: nothing was started, as this is no terminal; the line above starts it");
        return Ok(status::DONE);
    }
    // The debugger takes the place of this program, and with it the terminal and its signals.
    let error = Command::new(&line[0]).args(&line[1..]).exec();
    Err(Failure::trouble(format!("{} does not start: {error}; help: install it", debugger.words()[0])))
}

/// Whether the answer at the terminal is yes.
fn is_wanted() -> bool {
    eprint!("start it? [y/N] ");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}
