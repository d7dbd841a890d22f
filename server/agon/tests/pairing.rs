//! Pairings in real ladders: the same tournament whatever the jobs and after `kill -9`, and nobody who leaves breaks
//! one.

use crate::builder;
use crate::builder::Arena;
use crate::held;
use crate::held::{assert_no_host, assert_whole, games, matches, table, wait_until};
use agon_model::{EntrantId, Stage, StageKind};
use agon_record::{Record, SqliteRecord, StoredStage};
use std::collections::{BTreeMap, BTreeSet};

/// `count` players of one file, each with options of its own, on the smallest square.
fn arena(count: usize, keys: &str) -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.ladder_toml(&toml(count, keys));
    arena
}

fn toml(count: usize, keys: &str) -> String {
    let client = |number: usize| {
        let style = ["queen", "move"][number % 2];
        format!(
            "[[client]]\nname = \"p{number}\"\nfile = \"clients/random.so\"\n\
             options = {{ style = \"{style}\", note = \"{number}\" }}\n"
        )
    };
    let clients: String = (1..=count).map(client).collect();
    format!(
        "[ladder]\nname = \"drawn\"\ngame = \"amazons\"\nclients = []\nseed = 5\n{keys}\n[options]\nboard = \"square:5\"\n\
         [time]\nper_move = \"5s\"\n[run]\nlogs = \"none\"\n{clients}"
    )
}

const SWISS: &str = "pairing = \"swiss\"\nrounds = 4\nopenings = 3";
const KNOCKOUT: &str = "pairing = \"knockout\"\nopenings = 2\nseeding = \"listed\"";
const CONTINUOUS: &str = "pairing = \"continuous\"\nblocks = 60\nopenings = 2";

/// What was drawn, with the points of closed stages.
fn stages(arena: &Arena) -> Vec<StoredStage> {
    let store = SqliteRecord::open_existing(&arena.path("agon-out")).unwrap();
    let ladder = store.newest_ladder().unwrap().unwrap();
    store.stages(ladder.id).unwrap()
}

#[test]
fn in_a_gauntlet_all_others_meet_the_base() {
    let arena = arena(5, "pairing = \"gauntlet\"\ngauntlet = [\"p3\"]\nopenings = 2");
    arena.agon(["ladder", "--quiet"]).well();
    let games = games(&arena);
    assert_eq!(games.len(), 4 * 2 * 2);
    assert!(games.values().all(|game| game.clients.contains(&"p3".to_owned())));
    let mut seats = BTreeMap::new();
    games.values().for_each(|game| *seats.entry((game.clients[0].clone(), 0)).or_insert(0) += 1);
    assert_eq!(seats[&("p3".to_owned(), 0)], 8, "on each seat as often");
    arena.ladder_toml(&toml(5, "pairing = \"round-robin\""));
    let refused = arena.agon(["ladder"]);
    assert_eq!(refused.status, Some(3));
    assert!(refused.stderr.contains("ladder.pairing: was gauntlet, is now round-robin"), "{}", refused.stderr);
    arena.ladder_toml(&toml(5, "pairing = \"gauntlet\"\ngauntlet = [\"p3\", \"p4\"]"));
    arena.agon(["ladder", "--quiet"]).well();
}

#[test]
fn a_swiss_goes_round_by_round() {
    let arena = arena(5, SWISS);
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("5 clients, 48 matches; "), "{}", ran.stderr);
    assert!(ran.stderr.contains("round 4: 2 meetings, a bye for p"), "{}", ran.stderr);
    assert_eq!(games(&arena).len(), 48);
    assert_whole(&arena, 2);
    let mut seats = BTreeMap::new();
    for (seat, client) in games(&arena).values().flat_map(|game| game.clients.iter().enumerate()) {
        seats.entry(client.clone()).or_insert([0, 0])[seat] += 1;
    }
    assert!(seats.values().all(|[first, second]| first == second), "{seats:?}");
    let stages = stages(&arena);
    assert_eq!(stages.len(), 4);
    let mut met = BTreeSet::new();
    let mut byes = BTreeSet::new();
    for (number, (stage, scores)) in stages.iter().enumerate() {
        assert_eq!((stage.opening, stage.openings), (3 * number as u64, 3));
        for (meeting, scores) in stage.meetings.iter().zip(scores.as_ref().unwrap()) {
            assert_eq!(scores.iter().sum::<i64>(), 6_000, "three openings from both seats");
            let pair: BTreeSet<EntrantId> = meeting.iter().copied().collect();
            // Which pairs are left at the end depends on results, and these on the very bytes of the client.
            let told = ran.stderr.contains("rematches that cannot be avoided");
            assert!(met.insert(pair) || (told && meeting.len() > 1), "no rematch, and no second bye");
            byes.extend(stage.byes());
        }
    }
    assert_eq!(byes.len(), 4);
    let shown = table(&arena);
    assert!(shown.contains("swiss after 4 rounds:\n#  client  points  opponents'  rounds"), "{shown}");
    assert!(shown.contains("bye 6"), "{shown}");
    // The points of clients with different opponents show no order.
    assert!(shown.contains("clients met different opponents; to compare them: agon standings --ratings\n"), "{shown}");
    assert!(!shown.contains("differences are not significant"), "{shown}");
    let json = arena.agon(["standings", "--json"]).json();
    assert_eq!(json["pairing"]["system"], "swiss");
    assert_eq!(json["pairing"]["order"].as_array().unwrap().len(), 5);
    assert_eq!(json["pairing"]["stages"][3]["round"], 4);
    let again = arena.agon(["ladder"]).well();
    assert!(again.stderr.contains("48 matches, 48 of them already played"), "{}", again.stderr);
    // A round more: what was played stays.
    arena.ladder_toml(&toml(5, &SWISS.replace("rounds = 4", "rounds = 5")));
    let more = arena.agon(["ladder"]).well();
    assert!(more.stderr.contains("60 matches, 48 of them already played"), "{}", more.stderr);
    arena.ladder_toml(&toml(5, &SWISS.replace("openings = 3", "openings = 2")));
    let refused = arena.agon(["ladder"]);
    assert!(refused.stderr.contains("ladder.openings: was 3, is now 2"), "{}", refused.stderr);
}

#[test]
fn a_knockout_ends_with_one() {
    let arena = arena(6, KNOCKOUT);
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("round 1: 2 meetings, a bye for p1, p2"), "{}", ran.stderr);
    let stages = stages(&arena);
    let rounds: Vec<&Stage> = stages.iter().map(|(stage, _)| stage).filter(|s| s.kind == StageKind::Round).collect();
    assert_eq!(rounds.iter().map(|stage| stage.played_meetings()).collect::<Vec<_>>(), [2, 2, 1]);
    assert!(stages.iter().all(|(_, scores)| scores.is_some()));
    assert_whole(&arena, 2);
    let shown = table(&arena);
    assert!(shown.contains("knockout, round 1:\n  p1 has a bye\n  p4 ") && shown.contains(" wins; a tie"), "{shown}");
}

#[test]
fn a_dry_run_shows_what_is_known() {
    let arena = arena(6, SWISS);
    let plan = |keys: &str| {
        arena.ladder_toml(&toml(6, keys));
        arena.agon(["ladder", "--dry-run"]).well().stdout
    };
    let swiss = plan(SWISS);
    assert!(
        swiss.starts_with("swiss of 4 rounds; a meeting is 3 openings x 1 setting; 72 matches in all\n"),
        "{swiss}"
    );
    assert_eq!(swiss.matches("  round 1  p").count(), 3, "{swiss}");
    assert!(swiss.contains("what follows is drawn from results"), "{swiss}");
    arena.ladder_toml(&toml(6, SWISS).replace("seed = 5\n", ""));
    let later = arena.agon(["ladder", "--dry-run"]).well().stdout;
    assert!(later.contains("  round 1  3 meetings, drawn from the seed at the start"), "{later}");
    let knockout = plan(KNOCKOUT);
    assert!(knockout.contains("20 matches in all") && knockout.contains("  round 1  p4 – p5\n"), "{knockout}");
    let continuous = plan(CONTINUOUS);
    assert!(
        continuous.starts_with("continuous ladder of 60 blocks; ") && continuous.contains("  challenges 1  p"),
        "{continuous}"
    );
    let many = toml(6, SWISS).replace("[run]\n", "[run]\njobs = 900\n");
    arena.ladder_toml(&many);
    let advised = arena.agon(["ladder", "--dry-run"]).well();
    let (said, cores) = ("900 jobs need more than the", std::thread::available_parallelism().unwrap());
    let help = format!("help: write {cores} instead, or leave jobs out");
    assert!(advised.stderr.contains(said) && advised.stderr.contains(&help), "{advised:?}");
    let refused = arena.agon(["ladder"]);
    assert!(refused.status == Some(3) && refused.stderr.contains(&help), "{refused:?}");
    let gauntlet = plan("pairing = \"gauntlet\"\ngauntlet = [\"p1\"]");
    assert!(gauntlet.starts_with("5 line-ups x 1 setting x 1 opening = 5 blocks of 10 matches in all"), "{gauntlet}");
    assert!(!arena.path("agon-out/matches").exists());
}

#[test]
fn a_continuous_ladder_ends_with_its_blocks_and_places_newcomers() {
    let arena = arena(4, CONTINUOUS);
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("4 clients, 120 matches; "), "{}", ran.stderr);
    assert_eq!(matches(&arena), 120);
    arena.ladder_toml(&toml(5, &CONTINUOUS.replace("60", "80")));
    let more = arena.agon(["ladder"]).well();
    assert!(more.stderr.contains("placement 1: 1 meeting"), "{}", more.stderr);
    assert_eq!(matches(&arena), 160);
    let last = stages(&arena).pop().unwrap().0;
    assert_eq!(last.order.len(), 5);
    let shown = table(&arena);
    let ranking = shown.split(" stages, from the top; Elo").nth(1).unwrap_or_else(|| panic!("{shown}"));
    let lines = ranking.lines().skip(2).take_while(|line| !line.is_empty());
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 5, "{shown}");
    assert!(rows.iter().zip(1..).all(|(row, place)| row.len() == 5 && row[0] == place.to_string()), "{shown}");
    let standings = arena.agon(["standings", "--json"]).json();
    let places = standings["pairing"]["ranking"].as_array().unwrap();
    let names: Vec<_> = places.iter().map(|place| place["client"].as_str().unwrap()).collect();
    assert_eq!(names, rows.iter().map(|row| row[1]).collect::<Vec<_>>());
    let met: u64 = places.iter().map(|place| place["meetings"].as_u64().unwrap()).sum();
    assert_eq!(met, 2 * 160 / 4, "each of 160 matches is one of four of a meeting of two");
    for place in places {
        let (elo, deviation) = (place["elo"].as_f64().unwrap(), place["deviation"].as_f64().unwrap());
        assert!(elo.abs() < 1000.0 && (20.0..350.0).contains(&deviation), "{places:?}");
    }
}

/// What a ladder came to.
fn outcome(arena: &Arena) -> (BTreeMap<String, held::Game>, Vec<StoredStage>, String) {
    (games(arena), stages(arena), table(arena))
}

#[test]
fn jobs_and_kills_do_not_change_a_tournament() {
    let jobs: &[&str] = if std::thread::available_parallelism().unwrap().get() < 2 { &["1"] } else { &["1", "2"] };
    // As it stands a knockout would be over before it could be killed.
    let knockout = KNOCKOUT.replace("openings = 2", "openings = 20");
    for keys in [SWISS, &knockout, CONTINUOUS] {
        let undisturbed = arena(6, keys);
        undisturbed.agon(["ladder", "--quiet", "--jobs", "1"]).well();
        let expected = outcome(&undisturbed);
        for jobs in jobs {
            let killed = arena(6, keys);
            let (mut kept, mut kills) = (0, 0);
            // Whenever some more matches are in the record, at whatever moment of a round that is.
            for more in [3, 8, 7, 12] {
                let mut server = killed.start(["ladder", "--quiet", "--jobs", jobs]);
                let wanted = kept + more;
                wait_until("some more is played", || {
                    matches(&killed) >= wanted || server.try_wait().unwrap().is_some()
                });
                kills += u32::from(server.try_wait().unwrap().is_none());
                // One that is over already is killed once too often.
                let _ = server.kill();
                server.wait().unwrap();
                assert_no_host(&killed);
                kept = matches(&killed);
            }
            assert!(kills > 1, "{keys}: it was over before it was killed twice");
            killed.agon(["ladder", "--quiet", "--jobs", jobs]).well();
            assert_whole(&killed, 2);
            assert_eq!(outcome(&killed), expected, "{keys} with {jobs} jobs, killed {kills} times");
        }
    }
}

#[test]
fn who_is_gone_loses_what_is_drawn_and_is_not_paired_again() {
    let arena = arena(6, "pairing = \"swiss\"\nrounds = 5\nopenings = 80");
    let mut server = arena.start(["ladder", "--quiet"]);
    wait_until("the first round is played", || matches(&arena) >= 6);
    server.kill().unwrap();
    server.wait().unwrap();
    arena.agon(["clients", "--withdraw", "p2"]).well();
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("round 2: 2 meetings, a bye for p"), "{}", ran.stderr);
    let members = SqliteRecord::open_existing(&arena.path("agon-out")).unwrap();
    let members = members.members(members.newest_ladder().unwrap().unwrap().id).unwrap();
    let gone = members.iter().find(|member| member.entrant.label == "p2").unwrap().id;
    let stages = stages(&arena);
    assert_eq!(stages.len(), 5);
    let of_first = stages[0].0.meetings.iter().position(|meeting| meeting.contains(&gone)).unwrap();
    let scores = &stages[0].1.as_ref().unwrap()[of_first];
    assert_eq!(scores.iter().sum::<i64>(), 160_000, "what was not played is won by the other: {scores:?}");
    assert!(stages[1..].iter().all(|(stage, _)| !stage.meetings.concat().contains(&gone)));

    arena.agon(["clients", "--let-back", "p2"]).well();
    arena.ladder_toml(&toml(6, "pairing = \"swiss\"\nrounds = 6\nopenings = 80"));
    let back = arena.agon(["ladder"]).well();
    assert!(back.stderr.contains("round 6: 3 meetings"), "{}", back.stderr);
    assert_eq!(self::stages(&arena)[..5], stages, "what is closed stays");
}

#[test]
fn who_is_benched_leaves_a_swiss_at_the_same_place_whatever_the_jobs() {
    if !builder::has_program("cc") {
        return;
    }
    // Built once: a compiler may make other bytes in another folder, which would be another client.
    let built = Arena::new();
    let broken = "#include <agon/amazons.h>\n#include <stdlib.h>\n\
                  const char *get_player_name(void) { return \"broken\"; }\n\
                  int initialize(const amazons_setup *setup) { (void)setup; return 0; }\n\
                  amazons_move play(const amazons_turn *turn) { (void)turn; abort(); }\n\
                  void finalize(void) {}\nAGON_CLIENT(amazons)\n";
    let broken = built.c_client("broken", broken).unwrap();
    let played = |jobs: &str| {
        let arena = arena(5, SWISS);
        arena.add(&broken);
        let client = "[[client]]\nname = \"broken\"\nfile = \"clients/broken.so\"\n";
        let keys = SWISS.replace("rounds = 4", "rounds = 5").replace("openings = 3", "openings = 16");
        arena.ladder_toml(&(toml(5, &keys).replace("[run]", "[run]\nbench_after = 5") + client));
        let ran = arena.agon(["ladder", "--jobs", jobs]).well();
        assert!(ran.stderr.contains("broken is benched from block"), "{}", ran.stderr);
        assert!(ran.stderr.contains("round 5: 2 meetings, a bye for p"), "{}", ran.stderr);
        outcome(&arena)
    };
    let alone = played("1");
    if std::thread::available_parallelism().unwrap().get() > 1 {
        assert_eq!(played("2"), alone);
    }
}

#[test]
fn who_leaves_a_knockout_is_out_and_who_comes_late_is_told() {
    let keys = KNOCKOUT.replace("openings = 2", "openings = 120");
    let arena = arena(4, &keys);
    let mut server = arena.start(["ladder", "--quiet"]);
    wait_until("the first round is played", || matches(&arena) >= 6);
    server.kill().unwrap();
    server.wait().unwrap();
    arena.agon(["clients", "--withdraw", "p1"]).well();
    arena.ladder_toml(&toml(5, &keys));
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("round 2: 1 meeting; too late for this bracket: p5"), "{}", ran.stderr);
    let shown = table(&arena);
    assert!(shown.contains(" wins; a tie") && !shown.contains("\np1 wins"), "{shown}");
}

#[test]
fn who_joins_a_running_swiss_plays_from_the_next_round_on() {
    let keys = "pairing = \"swiss\"\nrounds = 6\nopenings = 240";
    let arena = arena(6, keys);
    let watching =
        toml(6, keys).replace("clients = []", "clients = [\"clients/*.so\"]").replace("[run]", "[run]\nwatch = true");
    arena.ladder_toml(&watching);
    let mut server = arena.start(["ladder", "--quiet"]);
    wait_until("the first round is played", || matches(&arena) >= 6);
    arena.rust_client("greedy");
    let mut over = false;
    wait_until("it is over", || {
        over = over || server.try_wait().unwrap().is_some();
        over
    });
    assert!(server.wait().unwrap().success());
    assert_whole(&arena, 2);
    let stages = stages(&arena);
    assert_eq!(stages.len(), 6);
    assert!(stages.iter().all(|(_, scores)| scores.is_some()));
    assert_eq!(stages[0].0.order.len(), 6, "what was drawn stands");
    assert_eq!(stages[5].0.order.len(), 7);
}

#[test]
fn an_archived_tournament_can_be_cleaned_away() {
    let arena = arena(4, "pairing = \"swiss\"\nrounds = 2");
    arena.agon(["ladder", "--quiet"]).well();
    arena.ladder_toml(&toml(4, "pairing = \"swiss\"\nrounds = 2").replace("seed = 5", "seed = 6"));
    arena.agon(["ladder", "--quiet", "--fresh"]).well();
    let kept = outcome(&arena);
    arena.agon(["record", "clean", "--aside", "--yes"]).well();
    assert_eq!(outcome(&arena), kept);
    let stages = "SELECT count(*) FROM stage WHERE ladder NOT IN (SELECT id FROM ladder)";
    assert_eq!(held::count(&arena, stages), 0, "nothing is left of it");
    assert_eq!(arena.agon(["standings", "--ladder", "drawn~1"]).status, Some(2));
}

#[test]
fn nobody_is_forgotten_in_the_middle_of_a_round() {
    let arena = arena(6, "pairing = \"swiss\"\nrounds = 3\nopenings = 80");
    let mut server = arena.start(["ladder", "--quiet"]);
    wait_until("the first round is played", || matches(&arena) >= 6);
    server.kill().unwrap();
    server.wait().unwrap();
    let before = outcome(&arena);
    for words in [&["record", "forget", "p2", "--yes"][..], &["record", "forget", "p2", "--yes", "--matches"]] {
        let refused = arena.agon(words);
        assert_eq!(refused.status, Some(2), "{}{}", refused.stdout, refused.stderr);
        let told = ["ladder drawn", "finish it with agon ladder", "agon clients --withdraw p2", "nothing was changed"];
        assert!(told.iter().all(|told| refused.stderr.contains(told)), "{}", refused.stderr);
    }
    assert_eq!(outcome(&arena), before);
    arena.agon(["ladder", "--quiet"]).well();
    let (all, played, before) = (matches(&arena), stages(&arena), drawn_table(&arena));
    arena.agon(["record", "forget", "p2", "--yes"]).well();
    assert_eq!((matches(&arena), stages(&arena)), (all, played));
    let id = held::count(&arena, "SELECT id FROM entrant WHERE label LIKE 'forgotten-%'");
    assert_eq!(drawn_table(&arena), before.replace("p2", &format!("forgotten-{id}")));
    // Its matches go, and what was drawn still says that somebody was there.
    arena.agon(["record", "forget", "p3", "--yes", "--matches"]).well();
    assert!(matches(&arena) < all);
    let shown = drawn_table(&arena);
    assert!(shown.matches("forgotten-").count() > 2 && !shown.contains('?') && !shown.contains("p3"), "{shown}");
    assert_eq!(held::count(&arena, "SELECT count(*) FROM entrant"), 6);
    arena.agon(["ladder", "--quiet"]).well();
}

/// The tournament's own table, a word after the other: how wide its columns are depends on names.
fn drawn_table(arena: &Arena) -> String {
    let shown = table(arena);
    let (_, drawn) = shown.split_once("swiss after").unwrap();
    let drawn = drawn.lines().take_while(|line| !line.trim_start().starts_with('-') && !line.is_empty());
    drawn.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_imported_swiss_is_drawn_again_as_it_was() {
    let here = arena(5, SWISS);
    here.agon(["ladder", "--quiet"]).well();
    let export = here.agon(["record", "export", "jsonl"]).well().stdout;
    let there = arena(5, SWISS);
    there.file("in.jsonl", export);
    there.agon(["record", "import", "in.jsonl"]).well();
    assert_eq!((games(&there), stages(&there)), (games(&here), stages(&here)));
    there.agon(["ladder"]).well();
    assert_eq!(outcome(&there), outcome(&here));
    let played = |arena: &Arena| held::count(arena, "SELECT total(wall_us) FROM match");
    assert_eq!(played(&there), played(&here), "nothing is played again");
}
