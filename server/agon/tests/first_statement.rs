//! The first statement of a ladder's page is the result that the command gives, in every system there is.

use crate::browser::Running;
use crate::browser::server::{PATIENCE, end_now};
use crate::builder::Arena;
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Five players of one file, each with options of its own.
fn arena(pairing: &str) -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    let client = |number: usize| {
        let style = ["queen", "move"][number % 2];
        format!(
            "[[client]]\nname = \"p{number}\"\nfile = \"clients/random.so\"\n\
             options = {{ style = \"{style}\", note = \"{number}\" }}\n"
        )
    };
    let clients: String = (1..=5).map(client).collect();
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = []\nseed = 5\n{pairing}\n[options]\nboard = \"square:5\"\n\
         [time]\nper_move = \"5s\"\n[run]\nlogs = \"none\"\n{clients}"
    ));
    arena.agon(["ladder", "--quiet"]).well();
    arena
}

/// The first paragraph of the page, and the clients that stand out in it.
fn first_statement(arena: &Arena) -> (String, Vec<String>) {
    arena.agon(["report"]).well();
    let page = std::fs::read_to_string(arena.path("agon-report/index.html")).unwrap();
    let statement = page.split("<main>").nth(1).unwrap().split("<p").nth(1).unwrap().split("</p>").next().unwrap();
    assert!(statement.starts_with(" class=\"headline\">"), "it comes first: {statement}");
    let names = statement.split("<strong>").skip(1).map(|rest| {
        let name = rest.split("</bdi>").next().unwrap();
        name.rsplit('>').next().unwrap().to_owned()
    });
    (statement.to_owned(), names.collect())
}

/// What the command says.
fn told(arena: &Arena) -> Value {
    serde_json::from_str(&arena.agon(["standings", "--json"]).well().stdout).unwrap()
}

/// Everybody on the first place of the table.
fn first_of_table(told: &Value) -> Vec<String> {
    let clients = told["clients"].as_array().unwrap().iter().filter(|line| line["place"] == 1);
    clients.map(|line| line["client"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_page_begins_with_the_result_of_the_system() {
    for pairing in ["openings = 3", "pairing = \"gauntlet\"\ngauntlet = [\"p3\"]\nopenings = 2"] {
        let arena = arena(pairing);
        let (statement, names) = first_statement(&arena);
        let first = first_of_table(&told(&arena));
        // More than four leaders are counted, not named.
        if first.len() > 4 {
            assert!(statement.contains(&format!("{} clients", first.len())), "{pairing}: {statement}");
        } else {
            assert_eq!(names, first, "{pairing}: {statement}");
        }
        assert!(statement.contains("points a match"), "{statement}");
    }
    for (pairing, words) in [
        ("pairing = \"swiss\"\nrounds = 3\nopenings = 1", "leads the Swiss after 3 rounds"),
        ("pairing = \"knockout\"\nopenings = 1", "wins the knockout"),
        ("pairing = \"continuous\"\nblocks = 12\nopenings = 1", "is at the top of the ranking"),
    ] {
        let arena = arena(pairing);
        let (statement, names) = first_statement(&arena);
        let order = &told(&arena)["pairing"]["order"];
        assert_eq!(names, [order[0].as_str().unwrap()], "{pairing}: {statement}");
        assert!(statement.contains(words), "{statement}");
        let page = std::fs::read_to_string(arena.path("agon-report/index.html")).unwrap();
        let section = page.split("<h2 id=\"result\">").nth(1).unwrap().split("<h2").next().unwrap();
        if pairing.contains("knockout") {
            assert!(section.contains(">bye<") && !section.contains("bye 2"), "{section}");
        } else {
            // The whole table in the order of the command.
            let rows = section.split("<tr data-client").skip(1).map(|row| row.split("<bdi>").nth(1).unwrap());
            let shown: Vec<&str> = rows.map(|row| row.split("</bdi>").next().unwrap()).collect();
            let order: Vec<&str> = order.as_array().unwrap().iter().map(|label| label.as_str().unwrap()).collect();
            assert_eq!(shown, order, "{pairing}");
        }
    }
}

#[test]
fn the_page_of_a_test_begins_with_its_answer() {
    let arena = Arena::new();
    arena.rust_client("tirs");
    let words = ["tirs:strategy=level1", "tirs:strategy=naive", "-g", "tirs_croises", "-o", "size=4"];
    let bounds = ["--elo1", "60", "-s", "5", "--quiet", "--json"];
    let answer = arena.agon(["sprt"].iter().chain(&words).chain(&bounds)).verdict();
    assert_eq!(answer["verdict"], "H1", "{answer}");
    let (statement, names) = first_statement(&arena);
    assert_eq!(names, [answer["new"].as_str().unwrap()]);
    assert!(statement.contains(&format!("H1 is accepted after {} pairs", answer["pairs"])), "{statement}");
}

#[test]
fn a_test_that_runs_is_told_as_far_as_it_is_on_its_page_and_on_the_wall() {
    let arena = Arena::new();
    arena.rust_client("random");
    let words = ["sprt", "random:note=1", "random", "-b", "mini-3", "-o", "opening=2", "--elo1", "0.5", "--quiet"];
    let mut test = arena.command(words.iter().chain(&["--these-openings"])).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !arena.path("agon-out/tests").exists() {
        assert!(begun.elapsed() < PATIENCE, "nothing is kept of the test while it runs");
        std::thread::sleep(Duration::from_millis(100));
    }
    // What the wall and the page of a server tell that begins just now.
    let told = || {
        let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
        ["/hall", "/ladder/1/index.html"].map(|path| -> u64 {
            let page = server.get(path);
            let pairs =
                page.split("Undecided so far, after ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
            pairs.unwrap_or_else(|| panic!("{path}: {page}"))
        })
    };
    let [wall, page] = told();
    assert!(wall > 0 && page >= wall, "{wall} {page}");
    while told()[0] <= page {
        assert!(begun.elapsed() < PATIENCE, "nothing newer than {page} pairs is told");
    }
    assert!(test.try_wait().unwrap().is_none(), "the test still runs");
    end_now(&mut test);
}

#[test]
fn at_a_larger_table_ranks_and_scores_are_shown() {
    let arena = Arena::new();
    let clients = arena.six_clients(&["smallest", "middle", "largest", "random"]);
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"cards\"\ngame = \"six_qui_prend\"\nclients = []\nseats = 3\nseed = 5\nopenings = 2\n{clients}"
    ));
    arena.agon(["ladder", "--quiet"]).well();
    let (statement, names) = first_statement(&arena);
    assert_eq!(names, first_of_table(&told(&arena)), "{statement}");
    let page = std::fs::read_to_string(arena.path("agon-report/index.html")).unwrap();
    let table = page.split("<h2 id=\"standings\">").nth(1).unwrap().split("</table>").next().unwrap();
    for title in ["Mean rank", "Mean score", "Beaten"] {
        assert!(table.contains(title), "{title}: {table}");
    }
    let first = &told(&arena)["clients"][0];
    assert!(table.contains(&format!("{:.2}</td>", first["rank"]["mean"].as_f64().unwrap())), "{table}");
}

#[test]
fn alone_at_the_table_the_score_comes_first() {
    let arena = Arena::new();
    arena.rust_client("mastermind");
    arena.ladder_toml(
        "[ladder]\nname = \"alone\"\ngame = \"mastermind\"\nclients = [\"clients/mastermind.so\"]\nseed = 5\nopenings = 3\n\
         [[client]]\nname = \"other\"\nfile = \"clients/mastermind.so\"\noptions = { note = \"1\" }\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    let (statement, names) = first_statement(&arena);
    assert_eq!(names, first_of_table(&told(&arena)), "{statement}");
    assert!(statement.contains("mean score") && statement.contains("the lower the better"), "{statement}");
    let page = std::fs::read_to_string(arena.path("agon-report/index.html")).unwrap();
    let table = page.split("<h2 id=\"standings\">").nth(1).unwrap().split("</table>").next().unwrap();
    assert!(table.contains("Mean score") && !table.contains("Won"), "{table}");
}
