//! What is in the folder of a new client, file by file.

use agon_games::{Facts, Starter};
use std::path::{Path, PathBuf};

/// In which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99.
    C,
    /// C++17.
    Cpp,
    /// Rust.
    Rust,
    /// Python 3, which needs no compiler: the client is a program.
    Python,
}

/// How a client in Python talks with agon.
const TALK: &str = include_str!("../../../../client-api/starters/talk.py");

impl Language {
    /// By a word of the command line.
    pub fn named(word: &str) -> Option<Language> {
        match word {
            "c" => Some(Language::C),
            "cpp" | "c++" | "cxx" => Some(Language::Cpp),
            "rust" | "rs" => Some(Language::Rust),
            "python" | "python3" | "py" => Some(Language::Python),
            _ => None,
        }
    }

    /// As people write it.
    pub fn title(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::Cpp => "C++",
            Language::Rust => "Rust",
            Language::Python => "Python",
        }
    }
}

/// What is to be made.
pub struct StarterPlan<'a> {
    /// Of the client.
    pub name: &'a str,
    /// Of its game.
    pub facts: &'static Facts,
    /// What it begins with.
    pub starter: &'a Starter,
    /// In which it is written.
    pub language: Language,
    /// How agon is called.
    pub agon: &'a str,
    /// The package for clients in Rust.
    pub api: Option<PathBuf>,
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
        match self.language {
            Language::Python => {}
            Language::Rust => files.push(("Cargo.toml".to_owned(), self.manifest())),
            _ => files.push(("compile_flags.txt".to_owned(), format!("-Iinclude\n-std={}\n", self.standard()))),
        }
        files
    }

    /// What to do, a line each.
    pub fn next_steps(&self, folder: &Path) -> String {
        let (folder, agon) = (folder.display(), self.agon);
        let against = self.starter.opponents.first().map_or(String::new(), |opponent| format!(" {opponent}"));
        let source = self.source_file();
        let steps = [
            (format!("cd {folder}"), ""),
            (if self.is_compiled() { "make" } else { "" }.to_owned(), "builds it"),
            ("make test".to_owned(), "agon check looks at it step by step"),
            ("make play".to_owned(), "matches, and how the last one ended"),
            (format!("{agon} replay last"), "that match, move by move"),
        ];
        let lines = steps
            .iter()
            .filter(|(command, _)| !command.is_empty())
            .map(|(command, what)| format!("  {command:<19}  {what}").trim_end().to_owned());
        let lines: Vec<String> = lines.collect();
        format!(
            "next:\n{}\nthen open {source}, change what is marked, and look how it fares against{against}",
            lines.join("\n")
        )
    }

    fn source_file(&self) -> String {
        match self.language {
            Language::C => format!("{}.c", self.name),
            Language::Cpp => format!("{}.cpp", self.name),
            Language::Rust => "src/lib.rs".to_owned(),
            Language::Python => self.client_file(),
        }
    }

    /// What is played.
    fn client_file(&self) -> String {
        let ending = if self.is_compiled() { "so" } else { "py" };
        format!("clients/{}.{ending}", self.name)
    }

    fn is_compiled(&self) -> bool {
        self.language != Language::Python
    }

    /// What version control leaves out: a program is its own source.
    fn ignored(&self) -> &'static str {
        if self.is_compiled() { "/clients/\n/agon-out/\n/target/\n" } else { "/clients/*.so\n/agon-out/\n" }
    }

    fn source(&self) -> String {
        match self.language {
            Language::Rust => self.starter.rust.replace("first-rust", self.name),
            Language::Python => format!("{}{TALK}", self.starter.python).replace("first-python", self.name),
            _ => self.starter.c.replace("first-c", self.name),
        }
    }

    fn standard(&self) -> &'static str {
        if self.language == Language::Cpp { "c++17" } else { "c99" }
    }

    fn makefile(&self) -> String {
        let (name, agon) = (self.name, self.agon);
        let build = match self.language {
            Language::Python => String::new(),
            Language::Rust => format!(
                "clients/{name}.so: src/lib.rs Cargo.toml\n\tcargo build --release\n\t@mkdir -p $(@D)\n\tcp target/release/lib{}.so $@.new && mv $@.new $@\n",
                name.replace('-', "_")
            ),
            language => {
                let (compiler, flags) =
                    if language == Language::Cpp { ("$(CXX)", "CXXFLAGS") } else { ("$(CC)", "CFLAGS") };
                format!(
                    "{flags} ?= -O2 -g -Wall -Wextra\n\nclients/{name}.so: {source}\n\t@mkdir -p $(@D)\n\t{compiler} -std={standard} $({flags}) -fPIC -shared \
                     -Iinclude -o $@.new $< && mv $@.new $@\n",
                    source = self.source_file(),
                    standard = self.standard(),
                )
            }
        };
        let clean = match self.language {
            Language::Python => String::new(),
            Language::Rust => format!("clean:\n\trm -f clients/{name}.so\n\tcargo clean\n\n.PHONY: clean\n"),
            _ => format!("clean:\n\trm -f clients/{name}.so\n\n.PHONY: clean\n"),
        };
        let first = if self.is_compiled() { "make builds the client, " } else { "" };
        let play = match self.starter.opponents.first() {
            Some(opponent) if self.facts.seats.0 > 1 => format!("{name} {opponent} -n 10"),
            _ => format!("{name} -n 10"),
        };
        format!(
            "# {first}make test looks at it step by step, make play plays matches.\n\
             AGON ?= {agon}\n{build}\n\
             test: {file}\n\t$(AGON) check $< -g {game}\n\n\
             play: {file}\n\t$(AGON) match {play} -g {game}\n\t$(AGON) show last\n\n\
             {clean}\
             .PHONY: test play\n",
            file = self.client_file(),
            game = self.facts.name,
        )
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
        let (clients, programs) = match self.is_compiled() {
            true => ("\"clients/*.so\"", ""),
            false => (
                "\"clients/*.so\", \"clients/*.py\"",
                "programs = true   # clients that an interpreter runs play, too\n",
            ),
        };
        let mut text = format!(
            "# {name} against clients that come with agon. Run with: agon ladder\n\n\
             [ladder]\nname = \"{name}\"\ngame = \"{game}\"\nclients = [{clients}]\nopenings = 10\n\n\
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
        let (name, agon, title) = (self.name, self.agon, self.facts.title);
        let rules = self.facts.summary.in_language(agon_games::Language::English).replace('\n', " ");
        let against = self.starter.opponents.last().copied().unwrap_or("random");
        format!(
            "# {name}: a client of {title}\n\n{rules}\n\n\
             {build}`make test` looks at it step by step and says what to mend, `make play` plays matches and tells \
             how the last one ended. It is legal as it is; `{source}` says what to change first.\n\n\
             ```sh\n\
             {agon} replay last              # the last match, move by move\n\
             {agon} match {name} {against}   # against a stronger one\n\
             {agon} ladder                   # everybody in clients/ against everybody\n\
             {agon} show last                # why a match ended as it did\n\
             ```\n",
            source = self.source_file(),
            build = if self.is_compiled() { "`make` builds it, " } else { "" },
        )
    }
}
