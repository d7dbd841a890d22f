//! The binary `agon`: hands the games to the command line.

use std::process::ExitCode;

/// The stack of the program, bytes. That of the first thread is what the shell allows, which may be little.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    let answer = || agon::answer(agon_games::GAMES);
    let program = std::thread::Builder::new().name("agon".to_owned()).stack_size(STACK).spawn(answer);
    match program.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => ExitCode::from(code),
        // It panicked, and said so.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!(
                "error: no thread starts: {error}; help: raise ulimit -u, in this shell, or end what else runs here"
            );
            ExitCode::FAILURE
        }
    }
}
