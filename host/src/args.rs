//! The command line of a host, and of whatever else enters its sandbox.

use crate::Data;
use crate::program::Program;
use crate::sandbox::Plan;
use agon_abi::{Layer, Layers};
use std::ffi::OsString;
use std::path::PathBuf;

/// What a host was asked to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The client's file.
    pub file: PathBuf,
    /// Files that the client reads besides.
    pub also: Vec<PathBuf>,
    /// Files that are mapped for it, by the name that it asks by.
    pub data: Vec<(String, PathBuf)>,
    /// Resident memory the server allows, bytes; sets the far backstop of the address space.
    pub memory: Option<u64>,
    /// A file of requests, in place of a server.
    pub requests: Option<PathBuf>,
    /// The layers to enter.
    pub layers: Layers,
    /// What runs the file, which is no library then.
    pub program: Option<Program>,
}

impl Settings {
    /// From the words of the command line, without the program's name.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Settings, String> {
        let mut words = words.into_iter();
        let (mut file, mut memory, mut requests, mut layers) = (None, None, None, Layers::ALL);
        let (mut also, mut data, mut program) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(word) = words.next() {
            if word == "--also" {
                also.push(words.next().map(PathBuf::from).ok_or("--also wants a file")?);
                continue;
            }
            if word == "--program" {
                program = words.by_ref().take_while(|word| word != "--").collect();
                continue;
            }
            if word == "--data" {
                let name = words.next().and_then(|word| word.into_string().ok()).filter(|name| !name.is_empty());
                data.push(name.zip(words.next().map(PathBuf::from)).ok_or("--data wants a name and a file")?);
                continue;
            }
            let mut value = || words.next().and_then(|word| word.into_string().ok()).unwrap_or_default();
            match word.to_str() {
                Some("--memory") => memory = Some(value().parse().map_err(|_| "--memory wants a number of bytes")?),
                Some("--requests") => requests = Some(PathBuf::from(words.next().ok_or("--requests wants a file")?)),
                Some("--without") => layers = layers.without(layer(&value())?),
                Some("--sandbox") if value() == "off" => layers = Layers::NONE,
                Some("--sandbox") => return Err("--sandbox wants: off".into()),
                Some(option) if option.starts_with("--") => return Err(format!("unknown option {option}")),
                _ if file.is_some() => return Err("one FILE only".into()),
                _ => file = Some(PathBuf::from(word)),
            }
        }
        let usage = "usage: [--memory BYTES] [--without LAYER]... [--sandbox off] [--also FILE]... [--data NAME FILE]... \
                     [--requests FILE] [--program INTERPRETER WORD... --] FILE";
        let program = Program::of_words(program);
        Ok(Settings { file: file.ok_or(usage)?, also, data, memory, requests, layers, program })
    }

    /// Maps the files that the client gets, before the sandbox closes.
    ///
    /// # Errors
    /// Which of them cannot be mapped, and why.
    pub fn map_data(&self) -> Result<Data, String> {
        Data::map(self.data.iter().map(|(name, file)| (name.as_str(), file.as_path())))
    }

    /// The sandbox that these settings ask for.
    pub fn plan(&self) -> Plan<'_> {
        Plan {
            layers: self.layers,
            memory: self.memory,
            file: &self.file,
            also: &self.also,
            debugged: self.requests.is_some(),
            program: self.program.as_ref().map(|program| program.interpreter.as_path()),
        }
    }
}

fn layer(name: &str) -> Result<Layer, String> {
    let found = Layer::ALL.into_iter().find(|layer| layer.name() == name);
    found.ok_or_else(|| format!("--without wants one of {}", Layer::ALL.map(Layer::name).join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Settings, String> {
        Settings::read(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn options_come_in_any_order() {
        let settings = read("--memory 64 --without landlock x.so --without seccomp").unwrap();
        assert_eq!((settings.memory, settings.layers.0), (Some(64), 3));
        assert_eq!(read("--requests asked x.so").unwrap().requests, Some(PathBuf::from("asked")));
        assert_eq!(read("x.so --sandbox off").unwrap().layers, Layers::NONE);
        assert_eq!(read("--also a x.so --also b").unwrap().also, [PathBuf::from("a"), PathBuf::from("b")]);
        let program = read("--also lib --program /bin/cat -u -- x").unwrap().program.unwrap();
        assert_eq!((program.interpreter, program.words), (PathBuf::from("/bin/cat"), vec![OsString::from("-u")]));
        assert_eq!(read("--data book a x.so").unwrap().data, [("book".to_owned(), PathBuf::from("a"))]);
    }

    #[test]
    fn mistakes_are_named() {
        let lines = ["", "a b", "--memory x f", "--without walls f", "--sandbox on f", "--what f", "f --also"];
        let lines = lines.into_iter().chain(["f --data", "f --data a", "--requests"]);
        for line in lines {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
