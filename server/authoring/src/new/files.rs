//! The folder of a new client, file by file.

use super::{forge, zig};
use agon_games::{Facts, Starter};
use agon_model::shell;
use std::path::{Path, PathBuf};

/// The language in which a client is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLanguage {
    /// The client is in C99.
    C,
    /// The client is in C++17.
    Cpp,
    /// The client is in Rust.
    Rust,
    /// Zig, with the contract from the header in C.
    Zig,
    /// Go: the client is a program, since its runtime asks for more than a library may.
    Go,
    /// Python 3, which needs no compiler: the client is a program.
    Python,
}

/// The part of a client in Python that talks with agon.
const TALK: &str = include_str!("../../../../client-api/starters/talk.py");
/// The part of a client in Go that talks with agon.
const TALK_IN_GO: &str = include_str!("../../../../client-api/starters/talk.go");
/// The words for languages, as messages list them.
pub const LANGUAGE_NAMES: [&str; 6] = ["c", "cpp", "rust", "zig", "go", "python"];
/// The list of languages as a sentence.
pub const LANGUAGES: &str = "c, cpp, rust, zig, go and python";

impl SourceLanguage {
    /// By a word of the command line.
    pub fn named(word: &str) -> Option<SourceLanguage> {
        match word {
            "c" => Some(SourceLanguage::C),
            "cpp" | "c++" | "cxx" => Some(SourceLanguage::Cpp),
            "rust" | "rs" => Some(SourceLanguage::Rust),
            "zig" => Some(SourceLanguage::Zig),
            "go" | "golang" => Some(SourceLanguage::Go),
            "python" | "python3" | "py" => Some(SourceLanguage::Python),
            _ => None,
        }
    }

    /// The language as people write it.
    pub fn title(self) -> &'static str {
        match self {
            SourceLanguage::C => "C",
            SourceLanguage::Cpp => "C++",
            SourceLanguage::Rust => "Rust",
            SourceLanguage::Zig => "Zig",
            SourceLanguage::Go => "Go",
            SourceLanguage::Python => "Python",
        }
    }

    /// Whether headers in C belong to the folder.
    pub fn has_headers(self) -> bool {
        matches!(self, SourceLanguage::C | SourceLanguage::Cpp | SourceLanguage::Zig)
    }

    /// The program that its Makefile starts, and where to get it.
    pub fn toolchain(self) -> (&'static str, &'static str) {
        match self {
            SourceLanguage::C => ("cc", "apt-get install gcc, or what your system has"),
            SourceLanguage::Cpp => ("c++", "apt-get install g++, or what your system has"),
            SourceLanguage::Rust => ("cargo", "https://rustup.rs"),
            SourceLanguage::Zig => {
                ("zig", "https://ziglang.org, or: pip install ziglang, and make ZIG=\"python3 -m ziglang\"")
            }
            SourceLanguage::Go => ("go", "apt-get install golang-go, or https://go.dev; 1.18 or newer"),
            SourceLanguage::Python => ("python3", "apt-get install python3, or what your system has"),
        }
    }
}

/// The plan of a new client's folder.
pub struct StarterPlan<'a> {
    /// The name of the client.
    pub name: &'a str,
    /// The facts of its game.
    pub facts: &'static Facts,
    /// The source that it begins with.
    pub starter: &'a Starter,
    /// The language in which it is written.
    pub language: SourceLanguage,
    /// The command that starts agon.
    pub agon: &'a str,
    /// The package for clients in Rust.
    pub api: Option<PathBuf>,
    /// Whether a workflow for a forge is wanted.
    pub has_workflow: bool,
}

impl StarterPlan<'_> {
    /// Paths in the folder, and texts.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = vec![
            (self.source_file(), self.source()),
            ("Makefile".to_owned(), self.makefile()),
            ("ladder.toml".to_owned(), self.ladder()),
            ("README.md".to_owned(), self.readme()),
            (".gitignore".to_owned(), self.ignored().to_owned()),
        ];
        files.extend(forge::editor(self));
        if self.has_workflow {
            files.push(forge::workflow(self));
        }
        match self.language {
            SourceLanguage::Python => {}
            SourceLanguage::Go => {
                files.push(("talk.go".to_owned(), TALK_IN_GO.to_owned()));
                files.push(("go.mod".to_owned(), format!("module {}\n\ngo 1.18\n", self.name)));
            }
            SourceLanguage::Zig => {
                files.push(("agon.zig".to_owned(), zig::declarations(self.facts)));
                files.push(("contract.c".to_owned(), zig::contract(self.facts.name)));
            }
            SourceLanguage::Rust => files.push(("Cargo.toml".to_owned(), self.manifest())),
            SourceLanguage::C | SourceLanguage::Cpp => {
                files.push(("compile_flags.txt".to_owned(), format!("-Iinclude\n-std={}\n", self.standard())))
            }
        }
        files
    }

    /// The next steps, a line each.
    pub fn next_steps(&self, folder: &Path) -> String {
        let (folder, agon) = (shell::file(&folder.to_string_lossy()), shell::word(self.agon));
        let source = self.source_file();
        let steps = [
            (format!("cd {folder}"), ""),
            (if self.is_compiled() { "make" } else { "" }.to_owned(), "builds it"),
            ("make test".to_owned(), "agon check tests it step by step"),
            ("make play".to_owned(), "matches, and how the last one ended"),
            (format!("{agon} replay last"), "that match, move by move"),
        ];
        let width = steps.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
        let lines = steps
            .iter()
            .filter(|(command, _)| !command.is_empty())
            .map(|(command, what)| format!("  {command:<width$}  {what}").trim_end().to_owned());
        let lines: Vec<String> = lines.collect();
        let without_make = if self.is_compiled() { String::new() } else { self.without_make() };
        format!(
            "next:\n{}\n{without_make}then change the marked parts of {source}, and type {}{agon} match {}",
            lines.join("\n"),
            if self.is_compiled() { "make && " } else { "" },
            self.trial(self.starter.opponents.last())
        )
    }

    /// The same steps where there is no `make`, which a client that is not compiled does without.
    fn without_make(&self) -> String {
        let (agon, file, game) = (shell::word(self.agon), self.client_file(), self.facts.name);
        format!(
            "without make:\n  {agon} check {file} -g {game}\n  {agon} match {}\n",
            self.trial(self.starter.opponents.first())
        )
    }

    /// The words of ten matches against an opponent.
    fn trial(&self, opponent: Option<&&str>) -> String {
        match opponent {
            Some(opponent) if self.facts.seats.0 > 1 => format!("{} {opponent} -n 10", self.name),
            _ => format!("{} -n 10", self.name),
        }
    }

    fn source_file(&self) -> String {
        match self.language {
            SourceLanguage::C => format!("{}.c", self.name),
            SourceLanguage::Cpp => format!("{}.cpp", self.name),
            SourceLanguage::Rust => "src/lib.rs".to_owned(),
            SourceLanguage::Zig => format!("{}.zig", self.name),
            SourceLanguage::Go => "main.go".to_owned(),
            SourceLanguage::Python => self.client_file(),
        }
    }

    /// The file that plays.
    pub(super) fn client_file(&self) -> String {
        format!("clients/{}.{}", self.name, self.ending())
    }

    pub(super) fn ending(&self) -> &'static str {
        match self.language {
            SourceLanguage::Python => "py",
            SourceLanguage::Go => "bin",
            _ => "so",
        }
    }

    pub(super) fn is_compiled(&self) -> bool {
        self.language != SourceLanguage::Python
    }

    /// The files that version control leaves out: a program is its own source.
    fn ignored(&self) -> &'static str {
        match self.language {
            SourceLanguage::Python => "/clients/*.so\n/agon-out/\n",
            SourceLanguage::Zig => "/clients/\n/agon-out/\n/.zig-cache/\n",
            _ => "/clients/\n/agon-out/\n/target/\n",
        }
    }

    fn source(&self) -> String {
        match self.language {
            SourceLanguage::Rust => self.starter.rust.replace("first-rust", self.name),
            SourceLanguage::Zig => self.starter.zig.replace("first-zig", self.name),
            SourceLanguage::Go => self.starter.go.replace("first-go", self.name),
            SourceLanguage::Python => format!("{}{TALK}", self.starter.python).replace("first-python", self.name),
            _ => self.starter.c.replace("first-c", self.name),
        }
    }

    fn standard(&self) -> &'static str {
        if self.language == SourceLanguage::Cpp { "c++17" } else { "c99" }
    }

    fn makefile(&self) -> String {
        // A word of a shell, in which make sees neither a variable nor a comment.
        let agon = shell::word(self.agon).replace('$', "$$").replace('#', "\\#");
        let first = if self.is_compiled() { "make builds the client, " } else { "" };
        let play = self.trial(self.starter.opponents.first());
        format!(
            "# {first}make test checks it step by step; make play plays matches.\n\
             AGON ?= {agon}\n{build}\n\
             test: {file}\n\t$(AGON) check $< -g {game}\n\n\
             play: {file}\n\t$(AGON) match {play} -g {game}\n\t$(AGON) show last\n\n\
             {clean}\
             .PHONY: test play\n",
            build = self.rule(),
            clean = self.clean(),
            file = self.client_file(),
            game = self.facts.name,
        )
    }

    /// How the client is built, in one step, so that nobody sees half a file.
    fn rule(&self) -> String {
        let (name, source, file) = (self.name, self.source_file(), self.client_file());
        let rule = |variables: &str, needs: &str, command: &str| {
            format!("{variables}{file}: {source}{needs}\n\t@mkdir -p $(@D)\n\t{command} && mv $@.new $@\n")
        };
        let in_c = |compiler: &str, flags: &str| {
            let standard = self.standard();
            let command = format!("$({compiler}) -std={standard} $({flags}) -fPIC -shared -Iinclude -o $@.new $<");
            rule(&format!("{flags} ?= -O2 -g -Wall -Wextra\n\n"), "", &command)
        };
        match self.language {
            // What builds submissions runs the first target, and takes the client as it is.
            SourceLanguage::Python => "all:\n.PHONY: all\n".to_owned(),
            SourceLanguage::C => in_c("CC", "CFLAGS"),
            SourceLanguage::Cpp => in_c("CXX", "CXXFLAGS"),
            SourceLanguage::Rust => {
                let built = format!("target/release/lib{}.so", name.replace('-', "_"));
                rule("", " Cargo.toml", &format!("cargo build --release\n\tcp {built} $@.new"))
            }
            SourceLanguage::Zig => {
                let flags = "-dynamic -fPIC -lc -Iinclude $(ZIGFLAGS)";
                let command = format!("$(ZIG) build-lib {flags} --name {name} -femit-bin=$@.new $< contract.c");
                let variables = "ZIG ?= zig\n# -O ReleaseSafe stops where an index is out of bounds, and builds longer.\n\
                                 ZIGFLAGS ?= -O ReleaseFast\n\n";
                rule(variables, " agon.zig contract.c", &command)
            }
            // Without cgo it needs nothing of the machine that plays; what it is built from is no matter of git's.
            SourceLanguage::Go => {
                rule("", " talk.go go.mod", "CGO_ENABLED=0 go build -buildvcs=false -trimpath -o $@.new .")
            }
        }
    }

    fn clean(&self) -> String {
        let also = match self.language {
            SourceLanguage::Python => return String::new(),
            SourceLanguage::Rust => "\tcargo clean\n",
            _ => "",
        };
        format!("clean:\n\trm -f {}\n{also}\n.PHONY: clean\n", self.client_file())
    }

    fn manifest(&self) -> String {
        let api = self.api.as_ref().map_or(String::new(), |api| api.display().to_string());
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [lib]\nname = \"{library}\"\ncrate-type = [\"cdylib\"]\n\n\
             [dependencies]\nagon-client-api = {{ path = {api:?} }}\n\n\
             [profile.release]\ndebug = true\n\n\
             [workspace]\n",
            name = self.name,
            library = self.name.replace('-', "_"),
        )
    }

    fn ladder(&self) -> String {
        let (name, game) = (self.name, self.facts.name);
        let (clients, programs) = match self.ending() {
            "so" => ("\"clients/*.so\"".to_owned(), ""),
            ending => (
                format!("\"clients/*.so\", \"clients/*.{ending}\""),
                "programs = true   # clients that are programs of their own play, too\n",
            ),
        };
        let begins = if self.facts.options.iter().any(|option| option.key == "opening") {
            "[options]\nopening = 4   # each pair begins after four random moves\n\n"
        } else {
            ""
        };
        let mut text = format!(
            "# {name} against clients that come with agon. Run with: agon ladder\n\n\
             [ladder]\nname = \"{name}\"\ngame = \"{game}\"\nclients = [{clients}]\nopenings = 10\n\n{begins}\
             [time]\nper_move = \"100ms\"\n\n\
             [run]\nwatch = true   # a new build joins while it runs\n{programs}"
        );
        for opponent in self.starter.opponents {
            let Some((file, option)) = opponent.split_once(':') else { continue };
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            text += &format!(
                "\n[[client]]\nname = \"{file}-{value}\"\nfile = \"clients/{file}.so\"\noptions = {{ {key} = \"{value}\" }}\n"
            );
        }
        text
    }

    fn readme(&self) -> String {
        let (name, agon, title) = (self.name, shell::word(self.agon), self.facts.title);
        let rules = self.facts.summary.in_language(agon_games::Language::English).replace('\n', " ");
        let against = self.starter.opponents.last().copied().unwrap_or("random");
        format!(
            "# {name}: a client of {title}\n\n{rules}\n\n\
             {build}`make test` checks it step by step and says what to fix, `make play` plays matches and tells \
             how the last one ended. It plays legal moves as it is; `{source}` says what to change first.\n\n\
             ```sh\n{commands}```\n\n\
             What the client prints is kept with the match, apart from its moves: print as much as you like to find a \
             fault.{stdout}\n",
            source = self.source_file(),
            stdout = match self.language {
                SourceLanguage::Go => " Print to standard error: standard output carries its moves.",
                _ => "",
            },
            build = if self.is_compiled() { "`make` builds it, " } else { "" },
            commands = aligned(&[
                (format!("{agon} replay last"), "the last match, move by move"),
                (format!("{agon} match {name} {against}"), "against a stronger one"),
                (format!("{agon} ladder"), "everybody in clients/ against everybody"),
                (format!("{agon} show last"), &format!("why a match ended as it did, and what {name} printed")),
            ]),
        )
    }
}

/// Commands with their comments below each other, a line each.
fn aligned(lines: &[(String, &str)]) -> String {
    let width = lines.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    lines.iter().map(|(command, comment)| format!("{command:width$}   # {comment}\n")).collect()
}
