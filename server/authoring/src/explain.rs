//! `agon explain CODE`: what a fault, a notice, a refusal or a void means, from what it comes, and the way out. The
//! same texts are docs/reference/messages.md.

mod catalogue;

use agon_command::{Failure, status};
use agon_model::visible::json_document;
use catalogue::{Entry, KINDS, all};
use clap::Args;
use serde::Serialize;

/// The arguments of `agon explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The word in a message or table: cpu-time, illegal-move, denied-file, no-macro, …. Default: a list of all.
    code: Option<String>,
    /// Prints everything as one page of Markdown.
    #[arg(long, conflicts_with = "code")]
    markdown: bool,
    /// Prints JSON.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    messages: &'a [&'static Entry],
}

/// Explains one, lists all, or writes the page.
pub fn explain(args: &ExplainArgs) -> Result<u8, Failure> {
    match &args.code {
        code if args.json => {
            let messages =
                code.as_ref().map_or_else(|| Ok(all().collect()), |code| find(code).map(|found| vec![found]))?;
            let document = Document { schema: "agon.explain/1", messages: &messages };
            print!("{}", json_document(&document));
        }
        Some(code) => println!("{}", text(find(code)?)),
        None if args.markdown => print!("{}", page()),
        None => {
            for (kind, title, _) in KINDS {
                println!("{title}");
                for entry in all().filter(|entry| entry.kind == *kind) {
                    println!("  {:<18} {}", entry.code, entry.what);
                }
            }
            println!("agon explain CODE tells more of one");
        }
    }
    Ok(status::DONE)
}

/// Words that people have for messages.
const ALSO: [(&str, &str); 8] = [
    ("segfault", "crash"),
    ("sigsegv", "crash"),
    ("abort", "crash"),
    ("exit", "early-exit"),
    ("timeout", "cpu-time"),
    ("late", "cpu-time"),
    ("oom", "out-of-memory"),
    ("deadlock", "stalled"),
];

/// Whether a message is called so.
pub fn is_message(code: &str) -> bool {
    find(code).is_ok()
}

fn find(code: &str) -> Result<&'static Entry, Failure> {
    let code = code.to_lowercase().replace('_', "-");
    if let Some(entry) = all().find(|entry| entry.code == code) {
        return Ok(entry);
    }
    if let Some((_, known)) = ALSO.iter().find(|(other, _)| *other == code) {
        return Err(Failure::usage(format!("no message is called \"{code}\"; help: did you mean {known}?")));
    }
    let nearest = all().map(|entry| (strsim::damerau_levenshtein(&code, entry.code), entry.code)).min();
    let part = all().map(|entry| entry.code).find(|known| code.len() >= 3 && known.contains(&code));
    let help = match (nearest, part) {
        (Some((distance, known)), _) if distance <= 3 && distance < known.len() / 2 => format!("did you mean {known}?"),
        (_, Some(known)) => format!("did you mean {known}? agon explain lists all"),
        _ => "agon explain lists them; agon rules GAME explains the word in brackets behind a move; for the words benched, \
              withdrawn and refused, type agon help ladder"
            .to_owned(),
    };
    Err(Failure::usage(format!("no message is called \"{code}\"; help: {help}")))
}

fn text(entry: &Entry) -> String {
    let kind = KINDS.iter().find(|(kind, ..)| *kind == entry.kind).map_or("", |(_, _, one)| *one);
    format!(
        "{}: {kind}\n\n{}\n\nwhy      {}\nexample  {}\nhelp     {}",
        entry.code, entry.what, entry.why, entry.example, entry.help
    )
}

/// docs/reference/messages.md.
fn page() -> String {
    let mut out = "# Messages about clients\n\nThis page lists all faults, notices and refusals, and why a \
                   match with a late client can be void. `agon explain NAME` prints one.\nExit statuses of commands: [exit-status.md](exit-status.md).\n"
        .to_owned();
    for (kind, title, _) in KINDS {
        out += &format!("\n## {title}\n");
        for entry in all().filter(|entry| entry.kind == *kind) {
            out += &format!(
                "\n### `{}`\n\n{}\n\n**Why:** {}\n**Example:** `{}`\n**Fix:** {}\n",
                entry.code, entry.what, entry.why, entry.example, entry.help
            );
        }
    }
    out
}
