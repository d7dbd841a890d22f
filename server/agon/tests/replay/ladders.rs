//! The ladders whose records are replayed: every game with options of every kind, and clients that fail in every phase
//! of a match.

/// A ladder of one game.
pub struct Ladder {
    pub name: &'static str,
    pub game: &'static str,
    pub seats: usize,
    /// Every one of these clients plays, from the file named before a dot; `faulty` is compiled for the game.
    pub clients: &'static [&'static str],
    /// Lines of `[options]`; several values make several settings.
    pub options: &'static str,
    /// Lines of `[ladder]` and options of clients, `client: key = value`.
    pub more: &'static str,
    pub of_clients: &'static [(&'static str, &'static str)],
    /// Files beside the ladder's.
    pub files: &'static [(&'static str, &'static str)],
    /// Rounds of the larger test.
    pub many: u32,
}

/// Three players of 6 qui prend from one file.
const SIX: &[(&str, &str)] = &[
    ("six-simple.smallest", "card = \"smallest\""),
    ("six-simple.middle", "card = \"middle\""),
    ("six-simple.largest", "card = \"largest\""),
];

/// The name of a client's file, without its ending.
pub fn file(client: &str) -> &str {
    client.split_once('.').map_or(client, |(file, _)| file)
}

impl Ladder {
    /// The ladder file. Clients take little of everything, so that many matches are played soon.
    pub fn toml(&self, rounds: u32) -> String {
        let (name, game, seats, more) = (self.name, self.game, self.seats, self.more);
        let client = |client: &&str| {
            let own = self.of_clients.iter().find(|(of, _)| of == client).map_or("", |(_, options)| options);
            format!("[[client]]\nname = \"{client}\"\nfile = \"clients/{}.so\"\noptions = {{ {own} }}\n", file(client))
        };
        let clients: String = self.clients.iter().map(client).collect();
        format!(
            "[ladder]\nname = \"{name}\"\ngame = \"{game}\"\nseats = {seats}\nseed = 2024\nopenings = {rounds}\n{more}\n\
             [options]\n{}\n[time]\nper_move = \"10s\"\n{clients}",
            self.options
        )
    }
}

/// A map with a one-way edge and a slide that comes back to where it began.
const MAP: &str = "title = \"a ring\"\npicture = \"\"\"\n1...2\n.#.#.\n..x..\n.#.#.\n2...1\n\"\"\"\n\
                   [[edge]]\nfrom = \"e3\"\nto = \"a3\"\ndirection = \"E\"\none_way = true\n\
                   [[cut]]\nfrom = \"b1\"\nto = \"c1\"\n";
const LINES: &str = "a2-a3/b4 b6-b5/c5\na2-b3/a2   # and nothing more\n";

pub const LADDERS: &[Ladder] = &[
    Ladder {
        name: "amazons shapes",
        game: "amazons",
        seats: 2,
        clients: &["random", "greedy", "faulty"],
        options: "board = [\"square:6\", \"donut:6\", \"eight:8\"]\nopening = [\"0\", \"5\"]\nvacated = [\"free\", \"blocked\"]",
        more: "",
        of_clients: &[],
        files: &[],
        many: 5,
    },
    Ladder {
        name: "amazons from a position",
        game: "amazons",
        seats: 2,
        clients: &["random", "greedy"],
        options: "board = \"square:5\"\nfrom = \"1=a2,d1/2=a4,e5/x=c3/move=2\"\nopening = \"3\"",
        more: "",
        of_clients: &[],
        files: &[],
        many: 20,
    },
    Ladder {
        name: "amazons on a map",
        game: "amazons",
        seats: 2,
        clients: &["random", "alphabeta"],
        options: "board = \"ring.toml\"\nopening = [\"2\", \"0\"]",
        more: "",
        of_clients: &[("alphabeta", "nodes = 50")],
        files: &[("ring.toml", MAP)],
        many: 10,
    },
    Ladder {
        name: "amazons by lines",
        game: "amazons",
        seats: 2,
        clients: &["random", "greedy"],
        options: "board = \"standard-6\"\nopening = \"lines.txt\"",
        more: "",
        of_clients: &[],
        files: &[("lines.txt", LINES)],
        many: 10,
    },
    Ladder {
        name: "grundy",
        game: "grundy",
        seats: 2,
        clients: &["grundy", "faulty"],
        options: "heaps = [\"8-30\", \"5,8,13\", \"4-9,10-40,6\"]\nbalance = \"no\"",
        more: "",
        of_clients: &[],
        files: &[],
        many: 20,
    },
    Ladder {
        name: "grundy that ends before",
        game: "grundy",
        seats: 2,
        clients: &["grundy", "faulty"],
        options: "heaps = \"60-90,30\"\nuntil = \"20\"\nmoves = \"9\"",
        more: "",
        of_clients: &[],
        files: &[],
        many: 20,
    },
    Ladder {
        name: "grundy in misere",
        game: "grundy",
        seats: 2,
        clients: &["grundy", "faulty"],
        options: "heaps = \"8-30,4-6\"\nmisere = \"yes\"",
        more: "",
        of_clients: &[("grundy", "version = \"random\"")],
        files: &[],
        many: 40,
    },
    Ladder {
        name: "tirs",
        game: "tirs_croises",
        seats: 2,
        clients: &["tirs", "faulty"],
        options: "size = [4, 7, 17]\nstart = [\"cursor\", \"anywhere\"]",
        more: "",
        of_clients: &[("tirs", "strategy = \"random\"")],
        files: &[],
        many: 10,
    },
    Ladder {
        name: "tirs of five",
        game: "tirs_croises",
        seats: 5,
        clients: &["tirs", "faulty"],
        options: "board = [\"drawn\", \"12#4/5678/9123/4567\"]",
        more: "lineup = [\"tirs\", \"faulty\", \"tirs\", \"tirs\", \"faulty\"]",
        of_clients: &[("tirs", "strategy = \"level1\"")],
        files: &[],
        many: 10,
    },
    Ladder {
        name: "mastermind race",
        game: "mastermind",
        seats: 3,
        clients: &["mastermind", "faulty"],
        options: "values = [2, 6, 20]\ntries = [4, 10]",
        more: "lineup = [\"mastermind\", \"faulty\", \"mastermind\"]",
        of_clients: &[("mastermind", "strategy = \"random\"")],
        files: &[],
        many: 15,
    },
    Ladder {
        name: "mastermind of listed secrets",
        game: "mastermind",
        seats: 2,
        clients: &["mastermind", "faulty"],
        options: "pegs = 5\nvalues = 4\nsecret = [\"all\", \"secrets.txt\"]",
        more: "",
        of_clients: &[("mastermind", "strategy = \"first\"")],
        files: &[("secrets.txt", "0 1 2 3 0\n\n3 3 3 3 3\n0 0 0 0 0\n")],
        many: 20,
    },
    Ladder {
        name: "mastermind with a maker",
        game: "mastermind",
        seats: 2,
        clients: &["mastermind", "faulty"],
        options: "maker = [\"client\", \"adaptive\"]\nvalues = 4\npegs = [3, 4]",
        more: "",
        of_clients: &[],
        files: &[],
        many: 15,
    },
    Ladder {
        name: "six by the publisher",
        game: "six_qui_prend",
        seats: 4,
        clients: &["six-simple", "six-simple.smallest", "six-simple.largest", "faulty"],
        options: "limit = [66, 20]\nlow_card = [\"chooses\", \"cheapest\"]\ndeck = [\"all\", \"players\"]",
        more: "",
        of_clients: SIX,
        files: &[],
        many: 4,
    },
    Ladder {
        name: "six of the course",
        game: "six_qui_prend",
        seats: 10,
        clients: &["six-simple", "six-simple.smallest", "six-simple.largest", "six-simple.middle", "faulty"],
        options: "rules = [\"course\", \"course-exact\"]",
        more: "lineup = [\"six-simple\", \"six-simple\", \"six-simple\", \"six-simple.smallest\", \"six-simple.smallest\", \
               \"six-simple.largest\", \"six-simple.largest\", \"six-simple.middle\", \"six-simple.middle\", \"faulty\"]",
        of_clients: SIX,
        files: &[],
        many: 10,
    },
];

/// A client that plays the first moves that come to mind, and in most matches declines, crashes, leaves, or plays what
/// is no move: which and when follows from its seed.
pub fn faulty(game: &str) -> String {
    let (declarations, start, legal) = match game {
        "amazons" => (
            "#include <agon/amazons_kit.h>\nstatic amazons_board board;",
            "if (amazons_start(&board, setup)) return 1;",
            "amazons_apply(&board, turn->previous); amazons_moves(&board, &move, 1); amazons_apply(&board, move);",
        ),
        "grundy" => ("", "", "while (turn->heaps[move.heap] < 3) move.heap++;\n move.split = 1;"),
        "tirs_croises" => (
            "",
            "",
            "for (int y = 20; y > 0; y--) for (int x = 20; x > 0; x--)\n\
             if (turn->values[y - 1][x - 1] && (!turn->cursor_x || turn->cursor_x == x || turn->cursor_y == y))\n\
             { move.x = x; move.y = y; }",
        ),
        "mastermind" => (
            "static int pegs;",
            "pegs = setup->pegs;",
            "if (turn->kind == MASTERMIND_ASKS_REPLY) abort();\n move.n = pegs; move.v[0] = calls % 2;",
        ),
        "six_qui_prend" => {
            ("", "", "if (turn->kind == SIX_QUI_PREND_ASKS_ROW) move.row = calls % 4; else move.card = turn->hand[0];")
        }
        other => panic!("no client is written for {other}"),
    };
    format!(
        "#include <agon/{game}.h>\n#include <stdlib.h>\n#include <string.h>\n{declarations}\n\
         static uint64_t seed; static unsigned calls;\n\
         const char *get_player_name(void) {{ return \"faulty\"; }}\n\
         int initialize(const {game}_setup *setup) {{ seed = setup->head.seed; {start} return seed % 8 == 0; }}\n\
         {game}_move play(const {game}_turn *turn) {{\n\
         {game}_move move; memset(&move, 0, sizeof move);\n\
         if (calls++ < seed / 8 % 6) {{ {legal}\n return move; }}\n\
         if (seed / 64 % 3 == 0) abort();\n if (seed / 64 % 3 == 1) exit(3);\n\
         memset(&move, 0xee, sizeof move); return move; }}\n\
         void finalize(void) {{}}\nAGON_CLIENT({game})\n"
    )
}
