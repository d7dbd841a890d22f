//! How a ladder pairs its clients: what each system needs, and keys of another one.

use super::{begins, good};
use agon_model::{Seeding, System};

#[test]
fn pairings_say_what_they_need() {
    let system = |lines: &str| good(&format!("[ladder]\ngame = \"tiny\"\n{lines}\n"));
    assert_eq!((system("").openings, system("openings = 5").openings), (1, 5));
    let swiss = system("pairing = \"swiss\"\nrounds = 5\nopenings = 2\nseeding = \"listed\"");
    assert_eq!((swiss.system, swiss.openings, swiss.seeding), (System::Swiss { rounds: Some(5) }, 2, Seeding::Listed));
    assert_eq!(system("pairing = \"swiss\"").system, System::Swiss { rounds: None });
    assert_eq!(system("pairing = \"knockout\"").system, System::Knockout { playoffs: 2 });
    assert_eq!(system("pairing = \"continuous\"\nblocks = 9").system, System::Continuous { blocks: 9 });
    let gauntlet = system("pairing = \"gauntlet\"\ngauntlet = [\"a\"]\nopenings = 2");
    assert_eq!((gauntlet.system, gauntlet.openings), (System::Gauntlet(vec!["a".to_owned()]), 2));

    begins("pairing = \"swis\"", "class.toml:3:11: unknown value \"swis\"", "did you mean \"swiss\"?");
    begins("rounds = 3\nopenings = 3", "class.toml:3:10: pairing = \"round-robin\" has no rounds", "leave rounds out");
    begins(
        "pairing = \"gauntlet\"\ngauntlet = [\"a\"]\nrounds = 2",
        "class.toml:5:10: pairing = \"gauntlet\" has no rounds",
        "write openings = 2, the number of openings that each line-up plays",
    );
    begins(
        "pairing = \"knockout\"\nrounds = 3",
        "class.toml:4:10: pairing = \"knockout\" has as many rounds as it takes",
        "leave rounds out; openings says how many openings each meeting plays",
    );
    begins(
        "pairing = \"swiss\"\nrounds = 3000",
        "class.toml:4:10: 3000 rounds of a Swiss are too many",
        "write at most 1000; openings makes meetings longer",
    );
    begins(
        "pairing = \"swiss\"\nseats = 3",
        "class.toml:3:11: pairing = \"swiss\" pairs two clients, and a match has 3 seats",
        "write seats = 2, or pairing = \"round-robin\"",
    );
    begins(
        "pairing = \"gauntlet\"",
        "class.toml:3:11: pairing = \"gauntlet\" does not say whom the others meet",
        "add gauntlet = [\"NAME\"]",
    );
    begins(
        "pairing = \"gauntlet\"\ngauntlet = [\"base\"]",
        "class.toml:4:13: no client is called \"base\"",
        "there are: a, b",
    );
    begins(
        "pairing = \"gauntlet\"\ngauntlet = []",
        "class.toml:4:12: the gauntlet is empty",
        "name those whom the others meet: [\"base\"]",
    );
    begins(
        "pairing = \"gauntlet\"\ngauntlet = [\"a\", \"a\"]",
        "class.toml:4:18: the gauntlet names \"a\" twice",
        "leave one out",
    );
    begins(
        "pairing = \"continuous\"",
        "class.toml:3:11: a continuous ladder needs an end",
        "add blocks = 1000; it may grow later",
    );
    begins(
        "pairing = \"continuous\"\nblocks = 3\nopenings = 2\n[options]\nboard = [\"small\", \"large\"]",
        "class.toml:4:10: blocks = 3 has no room for a meeting, which is 4 blocks",
        "write more blocks, or fewer openings",
    );
}

#[test]
fn keys_of_another_pairing_are_refused() {
    let homes = "leave it out, or write pairing = \"swiss\" or pairing = \"knockout\" or pairing = \"continuous\"";
    begins("seeding = \"drawn\"", "class.toml:3:11: seeding has no meaning under pairing = \"round-robin\"", homes);
    for (key, home) in [("gauntlet = [\"a\"]", "gauntlet"), ("playoffs = 1", "knockout"), ("blocks = 1", "continuous")]
    {
        let word = key.split(' ').next().unwrap();
        let first = format!("class.toml:3:{}: {word} has no meaning under pairing = \"round-robin\"", word.len() + 4);
        begins(key, &first, &format!("leave it out, or write pairing = \"{home}\""));
    }
    begins(
        "lineup = [\"a\", \"b\"]\npairing = \"swiss\"",
        "class.toml:3:10: lineup has no meaning under pairing = \"swiss\"",
        "leave it out, or write pairing = \"round-robin\"",
    );
}

#[test]
fn lineups_fit_the_seats_and_name_clients() {
    begins(
        "lineup = [\"a\"]",
        "class.toml:3:10: the line-up has 1 client, a match 2 seats",
        "name one client for each seat; repeats are allowed",
    );
    begins("lineup = [[\"a\", \"bb\"]]", "class.toml:3:17: no client is called \"bb\"", "did you mean \"b\"?");
    begins(
        "lineup = [[\"a\", \"b\"], [\"b\", \"a\"]]",
        "class.toml:3:23: these clients are a line-up already",
        "name it once; the order of names does not matter, since everybody plays from every seat and after everybody else",
    );
    begins(
        "lineup = []",
        "class.toml:3:10: the line-up is empty",
        "name a client for each seat: [\"a\", \"b\"], or leave the key out",
    );
}
