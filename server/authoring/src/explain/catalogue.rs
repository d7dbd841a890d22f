//! Every code by which agon reports a fault of a client, explained. A test compares the list with the kinds in the
//! code.

/// The sort of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// The client loses the match.
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
    (Sort::Fault, "Faults: the seat has lost the match", "a fault, by which a seat has lost its match"),
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
    "Mostly the client's own board is not the match's: a move of the others, or its own, was not applied to it.",
    "a1-a1/a3 (queen-must-move): the queen on a1 (vertex 4) must leave its square",
    "The message names the rule. agon show ID draws the position; compare it with your own board at that turn. agon check finds it at home.";
    "cpu-time": "A call took more processor time than allowed.",
    "A search without a look at the clock, or a loop without an end. All threads together are counted; waiting is not.",
    "1.00 s of processor time in play, ply 14, 1.00 s allowed",
    "Compare agon_cpu_us() with turn->head.cpu_left_us while you search, and stop in time. agon rerun ID --stack SEAT says in which line it was.";
    "wall-time": "A call took longer than allowed, in a ladder that judges by the time that passes.",
    "As cpu-time; sleeping and waiting count too.",
    "1.20 s of wall time in play, ply 8, 1.00 s allowed",
    "As cpu-time, and never sleep or block.";
    "stalled": "No answer came, and the client used no processor time until the guard.",
    "It sleeps, waits for a lock that nobody gives back, or reads from a descriptor on which nothing comes.",
    "no answer in play, ply 0 for 5.02 s: the client waits for something (sleep, a lock, a read)",
    "Never sleep or block; unlock every lock; give every thread an end and join it.";
    "crash": "The process was ended by a signal.",
    "An index outside its array, a pointer that is NULL or was freed, recursion without end, an uncaught exception or a failed assert.",
    "crashed in play, ply 0 by SIGSEGV, an access to memory it does not have (write at address 0x0 (a null pointer))",
    "Build with -g -Wall -Wextra; agon rerun ID --valgrind SEAT or agon check --valgrind FILE name the first wrong access and its line.";
    "early-exit": "The client ended its own process.",
    "exit, _exit or quick_exit, perhaps in a function for errors.",
    "the client ended itself in play, ply 0 with status 0",
    "Return from the function; decline a setup by returning something else than 0 from initialize.";
    "forbidden-call": "It asked the system for something that no game needs.",
    "system, fork and posix_spawn (new processes), sockets (the network), signals to others.",
    "a forbidden system call in play, ply 0: clone (56), a new process (fork, system)",
    "Compute in your own process; threads are allowed as far as setup->head.threads says.";
    "out-of-memory": "It had more resident memory than allowed.",
    "A table that grows with the search, or memory that is allocated every turn and never freed.",
    "513.2 MiB of memory in use in play, ply 40, 512.0 MiB allowed",
    "Bound tables by setup->head.memory, and free what a turn allocated.";
    "too-many-threads": "More threads at once than allowed.",
    "A pool as large as the machine's cores, or threads that are started every turn and never joined.",
    "9 threads at once in play, ply 2, 1 allowed and 1 more",
    "Start as many as setup->head.threads says, and join them before the function returns.";
    "protocol": "The pipe between client and server brought something else than one answer.",
    "The client wrote to a descriptor that is not its own, or closed all descriptors.",
    "the client closed the pipes to the server in play, ply 3",
    "A client answers by returning from the function, and writes to no descriptor but 1 and 2.";
    "declined": "initialize returned something else than 0.",
    "A client may decline a board that it is not made for; often a function of C returns 1 for success.",
    "initialize returned 1",
    "Return 0 when the client is ready to play this setup. agon_log(\"declined\", …) tells why it is not.";
    "load-failure": "The library could not be opened, or is not a client of this game.",
    "A line-up of the ladder file names it all the same, or the file fails only in a match: see the refusals.",
    "your client does not define finalize",
    "agon check FILE says at which step it fails.";
    "out-of-turn": "It used processor time while it was not asked.",
    "A thread goes on after its function has returned, to think in the others' time.",
    "310.0 ms of processor time used between its turns, before ply 6, in 400.0 ms in which it was not asked",
    "Join every thread, or let it wait, before the function returns.";
};

const NOTICES: &[Entry] = entries! { Notice;
    "denied-file": "It tried to open a file that it may not.",
    "A table or an opening book next to the program, or a file to log to.",
    "opening /etc/passwd was denied: a client reads no file but its own library",
    "Compile data into the client, or ask the ladder for it (data = [FILE], agon_data); log with agon_log or to stderr, which agon show prints.";
    "capped-output": "It printed more than is kept.",
    "A line for each node of a search.",
    "stdout: 7334464 bytes left out, 65536 are kept",
    "Print less, or raise [limits] output.";
    "blocked-signals": "It blocks signals.",
    "A library for threads or signals that the client brings along.",
    "it blocks signals, so agon cannot see what it was doing",
    "Leave signals as they are.";
    "bad-name": "Its name is missing or cannot be shown; the file's name is.",
    "NULL, an empty text, control characters, more than 32 bytes, or a text in memory that was freed.",
    "get_player_name returned NULL; the file's name is shown",
    "Return at most 32 bytes of UTF-8, ended by NUL, that live on: a constant.";
    "finalize": "It went wrong in finalize or after it, when the match was decided.",
    "Memory freed twice, or damaged long before: what finalize meets was often done in play.",
    "crashed in finalize by SIGSEGV, an access to memory it does not have",
    "agon check --valgrind FILE finds where the damage was done.";
    "missing-rung": "A layer of the sandbox does not hold on this machine.",
    "An old kernel, or a container that forbids it.",
    "landlock does not hold here, so agon cannot see what it would forbid",
    "agon doctor tells which, and what it is for.";
    "kept-waiting": "The machine kept it from its core for so long that it would have lost on time; that was not charged.",
    "More jobs than cores, or other programs, under the wall clock.",
    "kept from its core for 800.0 ms",
    "Run fewer jobs, or judge by processor time: [time] clock = \"cpu\".";
    "dawdling": "It sleeps or waits in its moves, or they take many times the time that its clock gives.",
    "Sleeping between looks at a clock, or a lock that another thread holds.",
    "9.00 s of wall time in all its moves so far, in play, ply 30, 8.00 s allowed",
    "Compute instead of sleeping; beyond twice what is allowed it loses as stalled.";
};

const REFUSALS: &[Entry] = entries! { Refusal;
    "unreadable": "The file cannot be read, or is not a regular file.",
    "A folder, a link, or a file of somebody else.",
    "it is not a file",
    "Put a regular file there, whole and readable.";
    "empty": "The file is empty.",
    "A compiler or a copy that failed for want of room.",
    "the file is empty",
    "Build it again, and look at what the compiler says.";
    "text": "It is text.",
    "The source instead of what was built from it.",
    "a text file, not a compiled library",
    "cc -O2 -g -fPIC -shared -I include -o client.so client.c";
    "not-elf": "It is not a library of Linux.",
    "Built on Windows or macOS, or no program at all.",
    "a Windows program or library",
    "Build it on Linux: WSL, a container or a machine of the course.";
    "truncated": "A part of the file is missing.",
    "An upload or a copy that was cut off.",
    "truncated: parts of the library lie beyond its 9000 bytes",
    "Copy it again, whole.";
    "32-bit": "It was built for a 32-bit machine.",
    "The flag -m32.",
    "built for a 32-bit machine",
    "Build it without -m32.";
    "other-machine": "It was built for another processor.",
    "A laptop with an ARM processor and a server with one of Intel or AMD, or the other way round.",
    "built for aarch64, this computer is x86-64",
    "Build it on a computer of the same kind, or submit the source.";
    "not-shared": "It is a program, an object file or an archive.",
    "The flag -shared is missing, or -c is too many.",
    "an object file (.o), not linked yet",
    "cc -O2 -g -shared -fPIC -I include -o client.so client.c";
    "malformed": "The file is corrupt.",
    "A tool that rewrites programs, or damage.",
    "malformed: it needs more than 256 libraries, or one whose name is too long",
    "Build it again.";
    "missing-function": "One of the four functions is not defined.",
    "A name that is misspelt, or a file that was not given to the compiler.",
    "your client does not define finalize",
    "Define it as the header of your game says; give all .c files to the compiler.";
    "mangled": "A function is defined as one of C++.",
    "The header of the game was not included before the definition.",
    "initialize is defined as a C++ function (_Z10initializePKv), which the macro does not see",
    "Include <agon/GAME.h> first, or write extern \"C\" before it.";
    "hidden": "The descriptor is in the library, but nobody can see it.",
    "strip, or a version script of the linker.",
    "agon_client_1 is in the library but hidden",
    "Leave them out.";
    "no-macro": "The last line AGON_CLIENT(GAME) is missing.",
    "agon.h is included, but nothing says which game it is.",
    "agon.h is included, but AGON_CLIENT is missing",
    "Add the line AGON_CLIENT(GAME), with the name of your game, at the end of one of your .c files.";
    "no-descriptor": "It is a library, but not a client.",
    "Another library, or a client for another program.",
    "a shared library, but not a client of agon",
    "Include the header of your game and end one .c file with AGON_CLIENT(GAME); in Rust, use export_client!.";
    "classic": "It has four functions and tells no game: a client of the original course.",
    "The adapter that plays for such clients is not there; or the line AGON_CLIENT(GAME) was forgotten.",
    "a client of the original course (no descriptor)",
    "Build the whole workspace, so that libclassic.so lies next to agon; or add the line.";
    "sanitizer": "It was built with -fsanitize=address, thread or leak.",
    "These watch a whole program from its first instruction on, and cannot be opened in a sandbox.",
    "built with -fsanitize=address, whose library must come before the program and look into files that the sandbox hides",
    "Build it without the flag to play; agon check --valgrind FILE finds the same kind of errors.";
    "missing-library": "It needs a library that is not on this computer.",
    "It was built where that library is installed.",
    "needs libgsl.so.27, which is not on this computer",
    "Install the package that has it, or build without it.";
    "undefined-symbol": "It needs something that nothing defines.",
    "A library was not named when linking, such as -lm, or a .c file was left out.",
    "needs gsl_matrix_alloc, which nothing defines",
    "Link the library that has it: -lm for mathematics, -lgsl for GSL.";
    "not-loadable": "The loader of this computer refuses it.",
    "Damage, or a system that is newer than this one.",
    "the loader refuses it: version GLIBC_2.38 not found",
    "Build it on this computer, and copy it whole.";
    "machine": "This computer could not open it, which is not a fault of the file.",
    "Too little memory, or too few descriptors.",
    "this machine could not open it: Cannot allocate memory",
    "Free memory, raise ulimit -n, and run the same command again.";
    "unseen": "Its examination did not finish.",
    "Code that runs when the library is opened (constructors, static objects) crashes, ends the process or takes too long.",
    "crashed while it was opened, by SIGSEGV, an access to memory it does not have",
    "Do nothing there: initialize is for that.";
    "other-abi": "It was built with the headers of another version of agon.",
    "Old headers in the include folder.",
    "built for version 2 of the contract, this agon has version 1",
    "agon header GAME writes those of this agon; build again.";
    "other-game": "It plays another game than was asked for.",
    "The header or the macro of another game.",
    "it plays another_game, not this_game",
    "Include <agon/GAME.h> and end with AGON_CLIENT(GAME).";
    "other-layout": "Its structs are not those of this agon.",
    "Headers that were changed, or of another version.",
    "field differs",
    "agon header GAME writes the right ones; in Rust, build with the agon-client-api of this agon.";
    "unknown-game": "It plays a game that this agon does not know.",
    "A misspelt word in AGON_CLIENT(GAME), or a newer agon.",
    "plays \"my_game\", which is not a game of this agon",
    "agon new --help and the message list the games.";
};

const VOIDS: &[Entry] = entries! { Void;
    "taken": "The client was late, but by no more than other machines took of this one's time.",
    "A rented machine that others share; agon doctor shows how much is taken.",
    "1.02 s of processor time in play, ply 3, 1.00 s allowed, but other machines took 60.0 ms of this one's time",
    "A machine of your own, or more time a move. The third time the client has lost.";
    "kept-off": "No answer came until long after the guard, but other programs kept the client from its core.",
    "More jobs than cores, other work on the machine, or a slow disk.",
    "no answer in play, ply 3 for 9.00 s: other programs, or a disk that is late with a page, kept the client from going on",
    "End what else runs here, or run fewer jobs. The third time the client has lost.";
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
