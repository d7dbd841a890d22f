//! The files for a forge and an editor in the folder of a new client: a workflow that tests it, and keys that build
//! and debug it.

use super::files::{SourceLanguage, StarterPlan};

/// The workflow, with gaps between two `@`, which no name of a client has.
const WORKFLOW: &str = include_str!("../../../../client-api/starters/workflow.yml");
/// The tasks that an editor offers.
const TASKS: &str = include_str!("../../../../client-api/starters/tasks.json");
/// The command behind the editor's key for debugging.
const LAUNCH: &str = include_str!("../../../../client-api/starters/launch.json");

/// The file of the workflow and its text.
pub fn workflow(plan: &StarterPlan) -> (String, String) {
    let has_openings = plan.facts.options.iter().any(|option| option.key == "opening");
    // A sequential test counts pairs of matches, which a game of one seat does not have.
    let test = if plan.facts.seats.0 > 1 { "sprt" } else { "match" };
    let bounds = if plan.facts.seats.0 > 1 { "--elo1 20 --most 200" } else { "-n 40" };
    let text = WORKFLOW
        .replace("@TEST@", test)
        .replace("@BOUNDS@", bounds)
        .replace("@TOOLCHAIN@", toolchain(plan.language))
        .replace("@FILE@", &plan.client_file())
        .replace("@ENDING@", plan.ending())
        .replace("@OPENING@", if has_openings { " -o opening=4" } else { "" })
        .replace("@GAME@", plan.facts.name)
        .replace("@NAME@", plan.name);
    (".github/workflows/agon.yml".to_owned(), text)
}

/// A step that installs what the Makefile starts, where the machines of the forge lack it.
fn toolchain(language: SourceLanguage) -> &'static str {
    match language {
        SourceLanguage::Zig => {
            "      - name: Install zig\n        run: |\n          \
             \"$RUNNER_TEMP/agon/bin/pip\" install ziglang\n          \
             echo \"ZIG=$RUNNER_TEMP/agon/bin/python -m ziglang\" >> \"$GITHUB_ENV\"\n"
        }
        SourceLanguage::C
        | SourceLanguage::Cpp
        | SourceLanguage::Rust
        | SourceLanguage::Go
        | SourceLanguage::Python => "",
    }
}

/// The files for an editor; only libraries can be debugged in the process of a match.
pub fn editor(plan: &StarterPlan) -> Vec<(String, String)> {
    let mut files = vec![(".vscode/tasks.json".to_owned(), TASKS.to_owned())];
    if plan.ending() == "so" {
        files.push((".vscode/launch.json".to_owned(), launch(plan)));
    }
    files
}

/// A match that calls the client in agon's own process, so that the debugger stops in the client. `env` finds agon where
/// a shell finds it.
fn launch(plan: &StarterPlan) -> String {
    let mut words = vec![plan.agon.to_owned(), "match".to_owned(), plan.client_file()];
    if plan.facts.seats.0 > 1 {
        words.extend(plan.starter.opponents.first().map(|opponent| (*opponent).to_owned()));
    }
    let fixed = ["-g", plan.facts.name, "-n", "1", "--isolation", "none", "--time", "1h", "-q"];
    words.extend(fixed.map(str::to_owned));
    LAUNCH.replace("@ARGUMENTS@", &serde_json::Value::from(words).to_string())
}
