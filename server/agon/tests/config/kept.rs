//! Ladder files of released versions are read by all later ones.

use super::{config, folder};
use agon_games::GAMES;

/// Each key with each of its forms. A line stays, though a later version may answer it with a warning.
const FILES: &[&str] = &[
    "[ladder]\nname = \"mine\"",
    "[ladder]\nclients = [\"clients/*.so\"]\nexclude = [\"clients/*.txt\"]",
    "[ladder]\nlabels = \"auto\"",
    "[ladder]\nlabels = \"file\"",
    "[ladder]\nlabels = \"folder\"",
    "[ladder]\nclosing = \"2026-12-01 18:00\"",
    "[ladder]\nclosing = \"2026-12-01T18:00:00+01:00\"",
    "[ladder]\nclosing = 2026-12-01T18:00:00+01:00",
    "[ladder]\nseats = 2",
    "[ladder]\npairing = \"round-robin\"",
    "[ladder]\npairing = \"partial-round-robin\"\nrounds = 1",
    "[ladder]\npairing = \"gauntlet\"\ngauntlet = [\"a\"]",
    "[ladder]\npairing = \"swiss\"\nrounds = 1\nseeding = \"drawn\"",
    "[ladder]\npairing = \"knockout\"\nplayoffs = 3\nseeding = \"drawn\"",
    "[ladder]\npairing = \"continuous\"\nblocks = 9",
    "[ladder]\npairing = \"swiss\"\nseeding = \"listed\"\nclients = [\"clients/a.so\", \"clients/b.so\"]",
    "[ladder]\nopenings = 3",
    "[ladder]\nseed = 18446744073709551615",
    "[ladder]\nlineup = [\"a\", \"b\"]",
    "[ladder]\nlineup = [[\"a\", \"b\"], [\"a\", \"a\"]]",
    "[options]\nboard = [\"mini-3\", \"square:6\"]\nopening = 4",
    "[time]\nper_move = \"0.1s\"",
    "[time]\ntotal = \"2min\"\nincrement = \"100ms\"\nperiod = 40",
    "[time]\ntc = \"10+0.1\"",
    "[time]\ntc = \"40/1:30+3\"",
    "[time]\ntc = \"0+1\"",
    "[time]\ntc = \"st=1\"",
    "[time]\nload = \"10s\"\ninitialize = \"1h\"\nfinalize = \"1d\"",
    "[time]\nclock = \"cpu\"\nwall_factor = 4",
    "[time]\nclock = \"wall\"",
    "[time]\nscale = \"off\"",
    "[time]\nscale = \"reference\"",
    "[adjudication]\nmoves = 4\nvalue = 9000\nchecked = 0.1",
    "[limits]\nmemory = \"1GiB\"\nthreads = 1\noutput = \"64KiB\"",
    "[limits]\nmemory = \"500MB\"\noutput = \"100 kB\"",
    "[run]\njobs = \"auto\"",
    "[run]\njobs = 4\nretry = 2\naudits = 0.05\nbench_after = 5",
    "[run]\nwatch = true\nprograms = true",
    "[run]\nsandbox = \"auto\"\nwithout = [\"limits\", \"privileges\", \"landlock\", \"seccomp\"]",
    "[run]\nsandbox = \"strict\"",
    "[run]\nsandbox = \"off\"",
    "[run]\nisolation = \"process\"",
    "[run]\nisolation = \"reuse\"",
    "[run]\nisolation = \"none\"",
    "[run]\nlibraries = []\nruntimes = []",
    "[run]\nlogs = \"all\"",
    "[run]\nlogs = \"faults\"",
    "[run]\nlogs = \"none\"",
    "[stop]\nmatches = 100\nerror = 0.02\ntime = \"8h\"",
    "[points]\nwin = 3\ndraw = 0.5\nloss = -1\ncrash = -2",
    "[grades]\nsteps = [\"6: 0.8\", \"5: 0.6\", \"4: 0.4\"]\notherwise = \"1\"",
    "[grades]\nformula = \"min(20, 10 + 10 * (points - 0.5))\"",
    "[grades]\nformula = \"round(2 * (1 + 5 * share)) / 2\"",
    "[grades]\nformula = \"max(floor(rank), ceil(4 * against('a')))\"",
    "[output]\ndir = \"out\"",
    "[output]\nrecord = \"postgres://ann:word@host/base\"",
    "[[client]]\nfile = \"clients/b.so\"\nname = \"x\"\noptions = { style = \"queen\", depth = 3 }\ntime = \"3+0.1\"",
    "[[client]]\nfile = \"clients/b.so\"\noptions = { note = \"1\" }\ndata = [\"maps/good.toml\"]",
];

#[test]
fn each_key_of_a_released_version_is_read() {
    let folder = folder();
    let mut refused = Vec::new();
    for text in FILES {
        let text = match text.strip_prefix("[ladder]\n") {
            Some(keys) => format!("[ladder]\ngame = \"amazons\"\n{keys}\n"),
            None => format!("[ladder]\ngame = \"amazons\"\n{text}\n"),
        };
        let read = config::read(&text, "class.toml", folder.path(), GAMES);
        refused.extend(read.err().map(|error| format!("{text}{error}")));
    }
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
    for (table, key) in config::keys().filter(|key| *key != ("ladder", "game")) {
        let heads = [format!("[{table}]\n"), format!("[[{table}]]\n")];
        let has =
            |text: &&&str| heads.iter().any(|head| text.starts_with(head)) && text.contains(&format!("\n{key} = "));
        assert!(FILES.iter().any(|text| has(&text)), "[{table}] {key} belongs into the list above");
    }
}
