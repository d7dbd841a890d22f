//! `agon.h` and the headers of the games: they compile strictly, in several files, and tell the layout that Rust has.

use super::built;
use super::loaded::{LOG, Loaded};
use agon_abi::{Expected, MARKER_SYMBOL, SYMBOL};
use agon_games::{GAMES, Opening};
use std::path::PathBuf;

/// A client of any game, built from two files that use every function of agon.h between them; `name` is for this one
/// only.
fn two_files(name: &str, game: &str, extension: &str, flags: &[&str]) -> Option<PathBuf> {
    let main = format!(
        "#include <agon/{game}.h>
        AGON_BEGIN
        int second_file(const agon_setup *head);
        AGON_END
        const char *get_player_name(void) {{ return \"two files\"; }}
        int initialize(const {game}_setup *setup) {{ return second_file(&setup->head); }}
        {game}_move play(const {game}_turn *turn) {{ {game}_move move; memset(&move, turn == NULL, sizeof move); return move; }}
        void finalize(void) {{}}
        AGON_CLIENT({game})
        "
    );
    let second = format!(
        "#include <agon/{game}.h>
        #define IS(key, expected) (agon_option(head, key, text, sizeof text) == text && strcmp(text, expected) == 0)
        AGON_BEGIN
        int second_file(const agon_setup *head);
        int second_file(const agon_setup *head) {{
            char text[6];
            if (agon_cpu_us() != 7) return 1;
            agon_log(\"key\", \"value\");
            agon_log_number(\"least\", (-9223372036854775807LL - 1));
            size_t size = 1;
            const unsigned char *four = (const unsigned char *)agon_data(\"four\", &size);
            if (!four || size != 4 || four[3] != 4 || agon_data(\"four\", NULL) != four) return 4;
            if (agon_data(\"five\", &size) || size != 0) return 5;
            if (!IS(\"depth\", \"12\") || !IS(\"note\", \"a = b\") || !IS(\"last\", \"\") || !IS(\"long\", \"12345\")) return 2;
            return agon_option(head, \"dept\", text, sizeof text) || agon_option(head, \"x\", text, sizeof text) ? 3 : 0;
        }}
        AGON_END
        "
    );
    let file = |part: &str, text: &str| built::source(&format!("{name}-{part}.{extension}"), text);
    built::c(name, &[file("main", &main), file("second", &second)], &[&["-fvisibility=hidden"], flags].concat())
}

const OPTIONS: &str = "depths = 1\n  depth =  12 \nnote = a = b\nlong=123456789\nlast=";

#[test]
fn every_game_compiles_strictly_in_c_and_cpp() {
    for game in GAMES.iter().map(|game| game.facts()) {
        for (extension, flags) in [("c", &["-O2"][..]), ("cc", &["-O0"]), ("cc", &["-O2", "-fno-exceptions", "-flto"])]
        {
            let name = format!("{}-{extension}{}", game.name, flags.concat());
            let Some(library) = two_files(&name, game.name, extension, flags) else { return };
            let client = Loaded::open(&library);
            assert!(client.has(SYMBOL) && client.has(MARKER_SYMBOL) && !client.has("agon_running_services"));
            let expected = Expected::new(game.name, game.setup, game.turn, game.mv);
            assert_eq!(client.fields(), expected.fields);
            let descriptor = client.descriptor();
            assert_eq!([descriptor.setup_size, descriptor.turn_size, descriptor.move_size], expected.sizes);
            assert_eq!(client.name(), "two files");
        }
    }
}

#[test]
fn services_and_options_work_from_every_file() {
    for game in GAMES {
        let facts = game.facts();
        let seats = facts.seats.0;
        let state = game.prepare(&facts.small_options()[0], seats).unwrap().start(&Opening::ANY);
        for extension in ["c", "cc"] {
            let name = format!("{}-services-{extension}", facts.name);
            let Some(library) = two_files(&name, facts.name, extension, &[]) else {
                return;
            };
            let mut client = Loaded::open(&library);
            assert_eq!(client.initialize(&*state, seats, 0, 1, OPTIONS), 0, "{name}");
            let log = LOG.lock().unwrap();
            assert!(log.iter().any(|line| line == "key=value"));
            assert!(log.iter().any(|line| line == "least=-9223372036854775808"));
        }
    }
}

#[test]
fn a_forgotten_macro_leaves_its_trace() {
    let source = built::source("forgotten.c", "#include <agon/amazons.h>\n");
    let Some(library) = built::c("forgotten", &[source], &["-O2", "-fvisibility=hidden"]) else { return };
    let client = Loaded::open(&library);
    assert!(client.has(MARKER_SYMBOL) && !client.has(SYMBOL));
}

#[test]
fn clients_in_rust_tell_the_same_fields() {
    for (client, game) in [
        ("random", "amazons"),
        ("six_simple", "six_qui_prend"),
        ("mastermind", "mastermind"),
        ("grundy", "grundy"),
        ("tirs", "tirs_croises"),
    ] {
        let facts = GAMES.iter().map(|entry| entry.facts()).find(|facts| facts.name == game).unwrap();
        let expected = Expected::new(game, facts.setup, facts.turn, facts.mv);
        let client = Loaded::open(&built::client(client));
        assert_eq!(client.fields(), expected.fields);
        assert_eq!(super::loaded::text(client.descriptor().game), game);
    }
}
