//! Matches of Amazons as SGF.

use agon_games::amazons::Amazons;
use agon_games::{AnyGame, Game, MoveBytes, Opening, Options, Recorded};

/// These moves on this board, won by the second seat.
fn export(board: &str, moves: &[&str]) -> Result<String, String> {
    export_with(board, moves, &[])
}

/// The same with more moves, which are only written down.
fn export_with(board: &str, moves: &[&str], more: &[(usize, MoveBytes)]) -> Result<String, String> {
    let mut options = Options::default();
    options.set("board", board);
    let game = Game::<Amazons>::ENTRY;
    let mut state = game.prepare(&options, 2).unwrap().start(&Opening::ANY);
    let mut played = Vec::new();
    for text in moves {
        let seat = state.to_move().iter().next().unwrap();
        let mv = state.read(text).unwrap();
        state.check(seat, &mv).unwrap();
        state.play(&[(seat, mv)]);
        played.push((seat, mv));
    }
    played.extend(more);
    let clients = vec!["al[ph]a\\".to_owned(), "beta".to_owned()];
    let recorded = Recorded {
        options: &options,
        opening: Opening::ANY,
        clients,
        moves: played,
        ranks: vec![2, 1],
        scores: vec![0, 1],
        by_fault: true,
    };
    (game.facts().exports[0].run)(&recorded)
}

#[test]
fn the_international_board() {
    let text = export("standard-10", &["d1-d7/g7", "d10-d8/d9"]).unwrap();
    let expected = "\
(;FF[4]GM[18]CA[UTF-8]AP[agon]
SZ[10]PB[al[ph\\]a\\\\]PW[beta]PL[B]RE[W+Forfeit]
C[standard 10x10]
AB[dj][gj][ag][jg]
AW[da][ga][ad][jd]
;B[djddgd];W[dadcdb])
";
    let (ours, expected): (Vec<_>, Vec<_>) = (text.lines().collect(), expected.lines().collect());
    assert_eq!([&ours[..2], &ours[5..]].concat(), [&expected[..2], &expected[5..]].concat(), "{text}");
    for (property, points) in [("AB", "dj gj ag jg"), ("AW", "da ga ad jd")] {
        let line = ours.iter().find(|line| line.starts_with(property)).unwrap();
        assert_eq!(line.len(), 2 + 4 * 4, "{line}");
        assert!(points.split(' ').all(|point| line.contains(&format!("[{point}]"))), "{line}");
    }
}

#[test]
fn moves_that_cannot_be_played_end_the_record() {
    let whole = export("standard-10", &["d1-d7/g7"]).unwrap();
    let mv = |vertices: [u32; 3]| MoveBytes::new(&vertices.map(u32::to_le_bytes).concat());
    let odd = [
        (1, mv([u32::MAX; 3])),
        (1, mv([1000, 1001, 1002])),
        (1, mv([3, 3, 3])),
        (0, mv([3, 13, 23])),
        (7, mv([3, 13, 23])),
        (usize::MAX, mv([3, 13, 23])),
        (1, MoveBytes::new(&[3; 5])),
    ];
    for last in odd {
        // What comes after it is left out with it.
        let text = export_with("standard-10", &["d1-d7/g7"], &[last, (1, mv([3, 13, 23]))]).unwrap();
        assert_eq!(text, whole, "{last:?}");
    }
    let text = export_with("standard-10", &["d1-d7/g7"], &[(1, mv([3, 13, 23]))]).unwrap();
    assert!(text.ends_with(";B[djddgd];W[dadbdc])\n"), "{text}");
}

#[test]
fn holes_are_blocked_cells() {
    let text = export("donut:9", &[]).unwrap();
    let line = text.lines().find(|line| line.starts_with("AA")).unwrap();
    assert_eq!(line, "AA[dd][ed][fd][de][ee][fe][df][ef][ff])");
    assert!(!text.contains("other edges"), "{text}");
}

#[test]
fn what_the_grid_cannot_say_is_said() {
    let cut = "title = \"Cut\"\npicture = \"\"\"\n1....\n.....\n....2\n\"\"\"\n[[cut]]\nfrom = \"b1\"\nto = \"c1\"\n";
    assert!(export(cut, &[]).unwrap().contains("SZ[5:3]"));
    assert!(export(cut, &[]).unwrap().contains("the board has other edges than this grid"));
    let graph =
        "title = \"Two\"\nvertices = 2\nqueens = [[0], [1]]\n[[edge]]\nfrom = \"0\"\nto = \"1\"\ndirection = \"E\"\n";
    assert!(export(graph, &[]).unwrap_err().contains("is not a grid"));
}
