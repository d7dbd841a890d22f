//! Every code by which agon reports a fault of a client, explained. A test compares the list with the kinds in the
//! code.

/// The sort of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// The seat loses, or ranks last.
    Fault,
    /// The client loses nothing.
    Notice,
    /// The file does not take part.
    Refusal,
    /// The match does not count.
    Void,
}

/// The sorts: the title of their list, and what one of them is.
pub const KINDS: &[(Sort, &str, &str)] = &[
    (Sort::Fault, "Faults: the seat loses, or ranks last", "a fault, by which a seat loses or ranks last"),
    (Sort::Notice, "Notices: they cost nothing", "a notice, which costs nothing"),
    (Sort::Refusal, "Refusals: the file cannot take part", "a refusal: the file cannot take part"),
    (
        Sort::Void,
        "Voids: the match does not count and is played again",
        "a void: the match does not count and is played again",
    ),
];

/// One message and its explanation.
#[derive(Debug, serde::Serialize)]
pub struct Entry {
    /// The code that tables and messages show.
    pub code: &'static str,
    /// The sort of the message.
    pub kind: Sort,
    /// The meaning, in a sentence.
    pub what: &'static str,
    /// The usual cause.
    pub why: &'static str,
    /// Its beginning, in a match.
    pub example: &'static str,
    /// The way out, in a sentence.
    pub help: &'static str,
}

/// All messages, in the order of the page.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    FAULTS.iter().chain(NOTICES).chain(REFUSALS).chain(VOIDS)
}

macro_rules! entries {
    ($sort:ident; $($code:literal: $what:literal, $why:literal, $example:literal, $help:literal;)*) => {
        &[$(Entry { code: $code, kind: Sort::$sort, what: $what, why: $why, example: $example, help: $help }),*]
    };
}

const FAULTS: &[Entry] = entries! { Fault;
    "illegal-move": "The move breaks a rule of the game.",
    "Usually the client's board is not the match's: it left out a move of an opponent or of the client.",
    "a1-a1/a3 (queen-must-move): the queen on a1 (vertex 4) must leave its square",
    "Compare your board with the position that agon show ID draws. agon check finds such moves at home.";
    "cpu-time": "A call took more processor time than allowed.",
    "A search without a clock, or an endless loop. All threads count together.",
    "1.02 s of processor time in play, ply 14, 1.00 s allowed",
    "Compare agon_cpu_us() with turn->head.cpu_left_us while you search, and stop in time. agon rerun ID --stack SEAT names the line.";
    "wall-time": "A call took longer than allowed, in a ladder with the wall clock.",
    "As for cpu-time; waits count too.",
    "1.20 s of wall time in play, ply 8, 1.00 s allowed",
    "As for cpu-time, and never sleep or block.";
    "stalled": "The client waited instead of computing.",
    "Sleep, in one call or in many; a lock that no thread releases; a read from an empty input.",
    "no answer in play, ply 0 for 5.02 s: the client waits for something (sleep, a lock, a read)",
    "Never sleep or block. Unlock every lock. End and join every thread.";
    "crash": "A signal ended the process.",
    "An index outside its array, a bad pointer, endless recursion, an exception or a failed assert.",
    "crashed in play, ply 0 by SIGSEGV, an access to memory it does not have (write at address 0x0 (a null pointer))",
    "Build with -g -Wall -Wextra. agon rerun ID --valgrind SEAT and agon check --valgrind FILE name the line.";
    "early-exit": "The client ended its own process.",
    "A call of exit, _exit or quick_exit.",
    "the client ended itself in play, ply 0 with status 0",
    "Return from the function. To decline a setup, return a value other than 0 from initialize.";
    "forbidden-call": "The client made a system call that no game needs.",
    "New processes (system, fork, posix_spawn), TCP sockets, or signals to others.",
    "a forbidden system call in play, ply 0: clone (56), a new process (fork, system)",
    "Compute in your own process, with at most setup->head.threads threads.";
    "out-of-memory": "The client held more resident memory than allowed.",
    "A table that grows with the search, or memory that is never freed.",
    "513.2 MiB of memory in use in play, ply 40, 512.0 MiB allowed",
    "Limit tables to setup->head.memory, and free each turn's memory.";
    "too-many-threads": "The client ran too many threads at once.",
    "A thread for each core, or threads that every turn starts and never joins.",
    "10 threads at once in play, ply 2, at most 1 + 8 allowed",
    "Start at most setup->head.threads, and join them before the function returns.";
    "protocol": "The server received something other than one answer.",
    "The client wrote to, or closed, descriptors of the host.",
    "the client closed the pipes to the server in play, ply 3",
    "Answer by returning from the function. Write to descriptors 1 and 2 only.";
    "declined": "initialize returned a value other than 0.",
    "The client declined the board, or its function returns 1 for success.",
    "initialize returned 1",
    "Return 0 to play. Otherwise give the reason with agon_log(\"declined\", …).";
    "load-failure": "The library could not be opened, or is not a client of this game.",
    "The ladder names a file that agon refused. Or the file could be opened in agon's examination, but not in a match.",
    "your client does not define finalize",
    "Run agon check FILE; agon explain lists the refusals.";
    "out-of-turn": "The client used too much processor time between its turns.",
    "A thread goes on after its function has returned.",
    "310.0 ms of processor time used between its turns, before ply 6, in the 400.0 ms while it was not its turn",
    "Join every thread, or let it wait, before the function returns.";
};

const NOTICES: &[Entry] = entries! { Notice;
    "denied-file": "The client tried to open a forbidden file.",
    "A table, an opening book or a log next to the program.",
    "opening /etc/passwd was denied: a client reads only its own file, the system's libraries and files that the ladder gives",
    "Compile data into the client, or ask the ladder for it (data = [FILE], agon_data). Log with agon_log or to stderr.";
    "capped-output": "The client printed more than agon keeps.",
    "A line for each node of a search.",
    "stdout: 7334464 bytes left out, 65536 are kept",
    "Print less, or raise [limits] output.";
    "blocked-signals": "The client blocks signals.",
    "A library for threads or signals in the client.",
    "it blocks signals, so agon cannot see what it was doing",
    "Leave signals as they are.";
    "bad-name": "The name is missing or cannot be shown; agon shows the file's name.",
    "NULL, an empty text, control characters, more than 32 bytes, or a text in freed memory.",
    "get_player_name returned NULL; the file's name is shown",
    "Return a constant: at most 32 bytes of UTF-8, ended by NUL.";
    "finalize": "The client failed after the match was decided.",
    "Memory freed twice or damaged, often earlier, in play.",
    "crashed in finalize by SIGSEGV, an access to memory it does not have",
    "agon check --valgrind FILE finds the damage.";
    "missing-layer": "A layer of the sandbox does not hold on this machine.",
    "An old kernel, or a container that forbids the layer.",
    "landlock does not hold here, so agon cannot see what it would forbid",
    "agon doctor names the layer and its purpose.";
    "kept-waiting": "The client waited for its core. The wait was not charged.",
    "More jobs than cores, or other programs.",
    "kept from its core for 800.0 ms",
    "Run fewer jobs, or use [time] clock = \"cpu\".";
    "dawdling": "The client sleeps or waits too much in its moves.",
    "Sleep between looks at a clock, or a lock that another thread holds.",
    "9.00 s of wall time in all its moves so far, in play, ply 30, 8.00 s allowed",
    "Compute instead of sleeping. Beyond twice the limit, the client loses as stalled.";
};

const REFUSALS: &[Entry] = entries! { Refusal;
    "unreadable": "The file cannot be read, or is not a regular file.",
    "It is a folder, or a file that you may not read. Or it is a link whose owner may not read the file behind it.",
    "it is not a file",
    "Put a readable, regular file there.";
    "empty": "The file is empty.",
    "A full disk.",
    "the file is empty",
    "Build it again.";
    "text": "The file is text.",
    "The source instead of the compiled library.",
    "a text file, not a compiled library",
    "cc -O2 -g -fPIC -shared -I include -o client.so client.c";
    "not-elf": "The file is not a library of Linux.",
    "Built on Windows or macOS, or not a program.",
    "a Windows program or library",
    "Build it on Linux, WSL or a container.";
    "truncated": "A part of the file is missing.",
    "An interrupted upload or copy.",
    "truncated: parts of the library lie beyond its 9000 bytes",
    "Copy it again, whole.";
    "32-bit": "The file was built for a 32-bit machine.",
    "The flag -m32.",
    "built for a 32-bit machine",
    "Build it without -m32.";
    "other-machine": "The file was built for another processor.",
    "An ARM laptop and an Intel or AMD server.",
    "built for aarch64, this computer is x86-64",
    "Build it on a computer of the same kind, or submit the source.";
    "not-shared": "The file is a program, an object file or an archive.",
    "The flag -shared is missing, or there is a flag -c.",
    "an object file (.o), not linked yet",
    "cc -O2 -g -shared -fPIC -I include -o client.so client.c";
    "malformed": "The file is corrupt.",
    "A tool that rewrites programs, or damage.",
    "malformed: it needs more than 256 libraries, or one whose name is too long",
    "Build it again.";
    "missing-function": "One of the four functions is not defined.",
    "A misspelt name, or a missing .c file.",
    "your client does not define finalize",
    "Define it as in your game's header. Compile all .c files.";
    "mangled": "A function is defined as one of C++.",
    "The game's header was not included before the definition.",
    "initialize is defined as a C++ function (_Z10initializePKv), which the macro does not see",
    "Include <agon/GAME.h> first, or write extern \"C\" before it.";
    "hidden": "The library hides its descriptor.",
    "strip, or a version script of the linker.",
    "agon_client is in the library but hidden",
    "Build without them.";
    "no-macro": "The last line AGON_CLIENT(GAME) is missing.",
    "No line names the game.",
    "agon.h is included, but AGON_CLIENT is missing",
    "End one of your .c files with AGON_CLIENT(GAME).";
    "no-descriptor": "The library is not a client.",
    "Another library, or a client for another program.",
    "a shared library, but not a client of agon",
    "Include your game's header and end one .c file with AGON_CLIENT(GAME); in Rust, export_client!.";
    "classic": "A client written for the course that came before agon: it names no game.",
    "The adapter is missing, or the line AGON_CLIENT(GAME).",
    "a client of the original course (no descriptor)",
    "Put libclassic.so next to agon-host (build the whole workspace), or add the line.";
    "sanitizer": "The file was built with -fsanitize=address, thread or leak.",
    "Sanitizers cannot be opened in a sandbox.",
    "built with -fsanitize=address, which needs files that the sandbox hides",
    "Build it without the flag. agon check --valgrind FILE finds the same kind of errors.";
    "missing-library": "The file needs a library that is not on this computer.",
    "It was built on another computer.",
    "needs libgsl.so.27, which is not on this computer",
    "Install the library's package, or build without the library.";
    "undefined-symbol": "The file needs something that nothing defines.",
    "A missing -lm, or a missing .c file.",
    "needs gsl_matrix_alloc, which nothing defines",
    "Link the library: -lm for mathematics, -lgsl for GSL.";
    "not-loadable": "The loader of this computer refuses the file.",
    "Damage, or a build on a newer system.",
    "the loader refuses it: version GLIBC_2.38 not found",
    "Build it on this computer, and copy it whole.";
    "machine": "This computer could not open the file; the file is not at fault.",
    "Too little memory, or too few descriptors.",
    "this machine could not open it: Cannot allocate memory",
    "Free memory, raise ulimit -n, and run the same command again.";
    "unseen": "The examination of the file did not finish.",
    "Constructors or static objects crash, exit or take too long.",
    "crashed while it was opened, by SIGSEGV, an access to memory it does not have",
    "Move that code into initialize.";
    "other-abi": "The file was built with the headers of another version of agon.",
    "Headers of another version in the include folder.",
    "built for version 2 of the contract, this agon has version 1",
    "Write new headers with agon header GAME, and build again.";
    "other-game": "The file plays another game.",
    "The header or the macro of another game.",
    "it plays another_game, not this_game",
    "Include <agon/GAME.h> and end with AGON_CLIENT(GAME).";
    "other-layout": "The file's structs differ from those of this agon.",
    "Headers that were changed, or of another version.",
    "field differs",
    "Write new headers with agon header GAME. In Rust, build with the agon-client-api of this agon.";
    "unknown-game": "The file plays a game that this agon does not know.",
    "A misspelt word in AGON_CLIENT(GAME), or a newer agon.",
    "plays \"my_game\", which is not a game of this agon",
    "agon rules lists the games.";
};

const VOIDS: &[Entry] = entries! { Void;
    "taken": "The client was late. Other virtual machines had taken at least that much time from this machine.",
    "A shared machine; agon doctor shows how much others take.",
    "1.02 s of processor time in play, ply 3, 1.00 s allowed, but other machines took 60.0 ms of this one's time",
    "Use a machine of your own, or give more time a move.";
    "kept-off": "No answer came in time: other programs kept the client from its core.",
    "More jobs than cores, other work on the machine, or a slow disk.",
    "no answer in play, ply 3 for 9.00 s: other programs, or a disk that is late with a page, kept the client from going on",
    "Stop other programs, or run fewer jobs.";
};

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::{Excuse, FaultKind, NoticeKind};
    use strum::VariantArray;

    fn codes(entries: &'static [Entry]) -> Vec<&'static str> {
        entries.iter().map(|entry| entry.code).collect()
    }

    #[test]
    fn every_kind_that_the_code_has_is_explained_and_no_other() {
        let kinds: Vec<&str> = FaultKind::VARIANTS.iter().map(|kind| kind.name()).collect();
        assert_eq!(codes(FAULTS), kinds);
        let kinds: Vec<&str> = NoticeKind::VARIANTS.iter().map(|kind| kind.name()).collect();
        assert_eq!(codes(NOTICES), kinds);
        assert_eq!(codes(VOIDS), [Excuse::Taken.name(), Excuse::KeptOff.name()]);
    }

    #[test]
    fn no_code_stands_twice_and_nothing_is_empty() {
        let all: Vec<&Entry> = all().collect();
        for (index, entry) in all.iter().enumerate() {
            assert!(all[..index].iter().all(|other| other.code != entry.code), "{}", entry.code);
            let texts = [entry.what, entry.why, entry.example, entry.help];
            assert!(texts.iter().all(|text| text.len() > 5), "{}", entry.code);
        }
    }
}
