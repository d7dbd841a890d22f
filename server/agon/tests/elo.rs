//! `agon elo`: counted results by hand, beside what other programs print of them.

use crate::builder::Arena;

#[test]
fn counted_results_tell_what_other_programs_tell() {
    let arena = Arena::new();
    // As fastchess printed them: brunocodutra/cinder, pull request 773.
    let pairs = arena.agon("elo --counts 36,340,767,462,82 --sprt 0 3 --beta 0.1".split(' ')).well().stdout;
    for line in [
        "pairs       1687: by points (0, 1/2, 1, 3/2, 2): 36 340 767 462 82; ",
        "logistic    +22.1 [+14.9, +29.2] Elo",
        "normalised  +36.2 ",
        "verdict     H1 would",
    ] {
        assert!(pairs.contains(line), "{line}: {pairs}");
    }
    assert!(pairs.contains("LLR         2.891 between -2.251 and 2.890"), "{pairs}");
    assert!(
        pairs.contains("normalised Elo, H1 (better) +3; alpha")
            && pairs.contains("logistic Elo, H1 (better) +3; alpha"),
        "{pairs}"
    );
    // As cutechess-cli printed them: its issue 543, with the ratio in BayesElo that fishtest's script makes of them.
    let words = "elo --counts 759,1863,880 --sprt 0 5 --scale logistic --like bayeselo --json";
    let games = arena.agon(words.split(' ')).json();
    assert!((games["tests"][0]["llr"].as_f64().unwrap() - 2.95).abs() < 0.006, "{games}");
    assert!((games["bayeselo"]["llr"][0].as_f64().unwrap() - 2.27).abs() < 0.006, "{games}");
    assert_eq!((games["unit"].as_str(), games["results"].as_u64()), (Some("matches"), Some(3502)));
    // Places at a table of five; in Ordo's scale the same score is 0.9 % more.
    let places = arena.agon("elo --counts 20,30,40,35,25 --matches --like ordo --json".split(' ')).json();
    let elo = |name: &str| places[name]["elo"].as_f64().unwrap();
    assert!((elo("ordo") / elo("logistic_elo") - 1.008_784).abs() < 1e-6, "{places}");
    assert_eq!((places["unit"].as_str(), places["score"].as_f64()), (Some("matches"), Some(0.525)));
    let games = arena.agon("elo --counts 10,5,20 --sprt 0 5".split(' ')).well().stdout;
    assert!(
        games.contains("matches     35: 10 lost, 5 drawn, 20 won; Elo")
            && games.contains(" more matches, 77 in all, would show"),
        "{games}"
    );
    let one = arena.agon("elo --counts 10,25".split(' ')).well().stdout;
    assert!(one.contains("needed      1 more match, 36 in all, would show"), "{one}");
    let worse = arena.agon("elo --counts 10,5,20 --sprt -5 0".split(' ')).well().stdout;
    assert!(worse.contains("test        H0 (worse) -5 normalised Elo, H1 (not worse) +0; alpha 0.05"), "{worse}");
    let three = arena.agon("elo --counts 10,5,20 --matches".split(' ')).well().stdout;
    assert!(three.contains("matches     35: 10 5 20 by place, last to first; Elo"), "{three}");
    let few = arena.agon(["elo", "--counts", "0,5"]).well().stdout;
    assert!(
        few.contains("no interval: it needs ten results or more") && few.contains("logistic    at least +34"),
        "{few}"
    );
}

/// Interval, both scales of Elo, probability and dashes of the same counts say the same about zero.
#[test]
fn all_that_is_told_of_counts_agrees_about_zero() {
    let arena = Arena::new();
    for counts in
        ["3,0,17", "1,1,18", "2,0,8", "6,0,14", "0,0,1", "0,0,2", "0,0,10", "0,0,0,0,2", "0,0,3,0,7", "1,0,1,3,9"]
    {
        let found = arena.agon(["elo", "--counts", counts, "--json"]).json();
        let low = |name: &str| found[name]["low"].as_f64().map(|low| low > 0.0);
        let better = found["superiority"].as_f64().map(|better| better > 0.975);
        assert_eq!(low("logistic_elo"), better, "{counts}: {found}");
        assert!(low("normalised_elo").is_none_or(|above| Some(above) == better), "{counts}: {found}");
        let text = arena.agon(["elo", "--counts", counts]).well().stdout;
        assert!(!text.contains("100.0 %") && !text.contains("+- 0.00"), "{text}");
    }
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let arena = Arena::new();
    for (words, message) in [
        (
            "--counts 1,2,3,4",
            "--counts has 4 numbers: matches of two seats need two or three, pairs five; help: write losses,draws,wins of matches",
        ),
        ("--counts 7", "--counts has 1 number: matches"),
        ("--counts 7 --matches", "one count tells nothing"),
        ("--counts 0,0,0", "not all 0"),
        ("--counts 1,18446744073709551615,1", "up to 2^50"),
        ("--counts 1,2,x", "invalid value 'x'"),
        ("--counts 1,2,3 --sprt 5 5", "elo0 must be less than elo1"),
        ("--counts 1,2,3 --sprt 0 5 --alpha 0.7", "alpha and beta"),
        (
            "--counts 1,2,3,4,5 --like bayeselo",
            "BayesElo's model is of single matches; help: give matches lost, drawn and won",
        ),
        ("", "--counts"),
    ] {
        let ran = arena.agon(["elo"].into_iter().chain(words.split(' ').filter(|word| !word.is_empty())));
        assert_eq!(ran.status, Some(2), "{words}: {}", ran.stdout);
        assert!(ran.stderr.contains(message), "{words}: {}", ran.stderr);
    }
}

#[test]
fn ratings_come_as_ordo_and_bayeselo_have_them() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("alphabeta");
    arena.agon("match random random:style=queen -b square:5 --openings 20 -s 3 -q --isolation reuse".split(' ')).well();
    let rate = |like: &str| arena.agon(format!("standings --ratings{like}").split(' ')).well().stdout;
    assert!(rate("").contains(": ratings in Elo over 40 matches"), "{}", rate(""));
    let ordo = rate(" --like ordo");
    assert!(ordo.contains(": ratings in Ordo's points, draws as halves, over 40 matches"), "{ordo}");
    let bayes = rate(" --like bayeselo");
    assert!(bayes.contains(": ratings like BayesElo's over 40 matches") && bayes.contains("\neloDraw "), "{bayes}");
    let json = arena.agon("standings --ratings --like bayeselo --json".split(' ')).json();
    assert_eq!(crate::schemas::flaws(&json, "ratings-bayeselo", "ratings"), Vec::<String>::new());
    let rating = |place: usize| json["clients"][place]["rating"].as_f64().unwrap();
    assert!(rating(0) >= rating(1) && (rating(0) + rating(1)).abs() < 1e-9, "{json}");
    let json = arena.agon("standings --ratings --like ordo --json".split(' ')).json();
    assert_eq!(json["scale"], "ordo");
    // On a large board chance never wins against a search.
    let searching = "alphabeta:nodes=20000";
    arena.agon(format!("match random {searching} -b standard-10 --openings 6 -q --isolation reuse").split(' ')).well();
    let open = arena.agon("standings --ratings --like ordo".split(' '));
    assert!(
        open.status == Some(2) && open.stderr.contains("without wins: alphabeta:nodes=20000, random; help"),
        "{}",
        open.stderr
    );
    rate(" --like bayeselo"); // its prior bounds them
    let wrong = arena.agon("standings --like ordo".split(' '));
    assert!(wrong.status == Some(2) && wrong.stderr.contains("--ratings"), "{}", wrong.stderr);
}
