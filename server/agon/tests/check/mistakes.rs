//! What students write: a sound client of Amazons with one thing wrong, and other files.

/// A sound client; the words in capitals are replaced.
const SOUND: &str = r#"#include <agon/amazons_kit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
GLOBALS
static amazons_board board;
const char *get_player_name(void) { return NAME; }
int initialize(const amazons_setup *setup) { SETUP return amazons_start(&board, setup); }
amazons_move play(const amazons_turn *turn) {
    amazons_move move = {0, 0, 0};
    PREVIOUS
    amazons_moves(&board, &move, 1);
    PLAYED
    amazons_apply(&board, move);
    return move;
}
void finalize(void) { LAST }
END
"#;

/// What stands in the places if nothing is wrong.
const PLACES: [(&str, &str); 7] = [
    ("GLOBALS", ""),
    ("NAME", "\"Anna\""),
    ("SETUP", ""),
    ("PREVIOUS", "amazons_apply(&board, turn->previous);"),
    ("PLAYED", ""),
    ("LAST", ""),
    ("END", "AGON_CLIENT(amazons)"),
];

/// One mistake: what it is called, what stands where, and the compiler's flags.
pub struct Mistake {
    pub name: &'static str,
    places: &'static [(&'static str, &'static str)],
    pub flags: &'static [&'static str],
}

impl Mistake {
    /// The client.
    pub fn source(&self) -> String {
        let all = self.places.iter().chain(&PLACES);
        all.fold(SOUND.to_owned(), |text, (place, with)| text.replace(place, with))
    }
}

const fn wrong(name: &'static str, places: &'static [(&'static str, &'static str)]) -> Mistake {
    Mistake { name, places, flags: &[] }
}

/// Those that compile.
pub const MISTAKES: &[Mistake] = &[
    wrong("nothing is wrong", &[]),
    wrong("the last line is missing", &[("END", "")]),
    wrong("finalize is missing", &[("void finalize(void) { LAST }", "")]),
    wrong("a function of another library", &[("GLOBALS", "double gsl_thing(double);"), ("PLAYED", "gsl_thing(1);")]),
    wrong("no name", &[("NAME", "NULL")]),
    wrong("an empty name", &[("NAME", "\"\"")]),
    wrong(
        "initialize returns true",
        &[("SETUP return amazons_start(&board, setup);", "amazons_start(&board, setup); return 1;")],
    ),
    wrong("initialize never ends", &[("SETUP", "for (volatile int i = 0; i >= 0; ) {}")]),
    wrong("a null pointer", &[("PLAYED", "volatile int *volatile p = NULL; *p = 1;")]),
    wrong("an endless loop", &[("PLAYED", "for (volatile int i = 0; i >= 0; ) {}")]),
    wrong("it waits", &[("PLAYED", "sleep(100);")]),
    wrong(
        "more than its memory",
        &[("PLAYED", "volatile char *p = malloc(1u << 30); for (long i = 0; i < 1l << 30; i += 4096) p[i] = 1;")],
    ),
    wrong("freed twice", &[("PLAYED", "char *volatile p = malloc(8); free(p); free(p);")]),
    wrong(
        "endless recursion",
        &[
            ("GLOBALS", "static int deep(int n) { volatile char a[100]; a[0] = n; return deep(n + 1) + a[0]; }"),
            ("PLAYED", "move.queen_src = deep(0);"),
        ],
    ),
    wrong(
        "a large array on the stack",
        &[("PLAYED", "volatile char big[32 << 20]; for (long i = 0; i < 32 << 20; i += 64) big[i] = 1;")],
    ),
    wrong("division by zero", &[("PLAYED", "volatile int zero = 0; move.queen_src = 1000 / zero;")]),
    wrong("an assertion", &[("GLOBALS", "#include <assert.h>"), ("PLAYED", "assert(turn == NULL);")]),
    wrong("exit", &[("PLAYED", "exit(0);")]),
    wrong("a queen that stays", &[("PLAYED", "move.queen_dst = move.queen_src;")]),
    wrong("no such vertex", &[("PLAYED", "move.queen_src = 4294967295u;")]),
    wrong("the other side's moves are forgotten", &[("PREVIOUS", "")]),
    wrong("a file is read", &[("PLAYED", "FILE *f = fopen(\"/etc/passwd\", \"r\"); if (f) fclose(f);")]),
    wrong("a program is run", &[("PLAYED", "if (system(\"ls\")) {}")]),
    wrong("a process is made", &[("PLAYED", "fork();")]),
    wrong(
        "it prints far too much",
        &[("PLAYED", "static char text[200000]; memset(text, 'x', sizeof text); if (write(1, text, sizeof text)) {}")],
    ),
    wrong(
        "it draws from the clock",
        &[
            ("GLOBALS", "#include <time.h>\nstatic amazons_move all[5000];"),
            (
                "PLAYED",
                "struct timespec now; clock_gettime(CLOCK_REALTIME, &now); move = all[0]; move = all[(now.tv_nsec / 64) % amazons_moves(&board, all, 5000)];",
            ),
        ],
    ),
    wrong(
        "a constructor crashes",
        &[(
            "GLOBALS",
            "__attribute__((constructor)) static void start(void) { volatile int *volatile p = NULL; *p = 1; }",
        )],
    ),
    wrong("finalize crashes", &[("LAST", "volatile int *volatile p = NULL; *p = 1;")]),
    Mistake { name: "built with AddressSanitizer", places: &[], flags: &["-fsanitize=address"] },
    Mistake { name: "not linked", places: &[], flags: &["-c"] },
];

/// Four functions without a header of agon or its last line.
pub const PLAIN: &str = "struct move { unsigned a, b, c; };
const char *get_player_name(void) { return \"Anna\"; }
void initialize(void) {}
struct move play(struct move previous) { return previous; }
void finalize(void) {}
";

/// A client of another game.
pub const GRUNDY: &str = "#include <agon/grundy.h>
const char *get_player_name(void) { return \"Anna\"; }
int initialize(const grundy_setup *setup) { (void)setup; return 0; }
grundy_move play(const grundy_turn *turn) { (void)turn; grundy_move move = {0, 1}; return move; }
void finalize(void) {}
AGON_CLIENT(grundy)
";

/// Functions of C++.
pub const MANGLED: &str = "struct move { unsigned a, b, c; };
const char *get_player_name() { return \"Anna\"; }
int initialize(const void *) { return 0; }
move play(const void *) { return move(); }
void finalize() {}
";

/// The same in a namespace, behind a header of agon.
pub const NESTED: &str = "#include <agon/grundy.h>
namespace me {
const char *get_player_name() { return \"Anna\"; }
int initialize(const grundy_setup *) { return 0; }
grundy_move play(const grundy_turn *) { return grundy_move(); }
void finalize() {}
}
";

/// An exception that nobody catches.
pub const THROWS: &str = "#include <agon/grundy.h>
#include <vector>
const char *get_player_name() { return \"Anna\"; }
int initialize(const grundy_setup *) { return 0; }
grundy_move play(const grundy_turn *) { std::vector<int> empty; empty.at(3); return grundy_move(); }
void finalize() {}
AGON_CLIENT(grundy)
";

/// Functions of other types than the header says.
pub const SIGNATURE: &str = "#include <agon/amazons.h>
const char *get_player_name(void) { return \"Anna\"; }
void initialize(void) {}
AGON_CLIENT(amazons)
";
