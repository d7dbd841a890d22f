//! What a server asks a host, or a look at a new file, to be; it travels as one record ([`crate::packed`]).

use crate::Data;
use crate::packed::{Kind, Malformed, Packer, Unpacker, receive};
use crate::program::{Program, Start};
use crate::sandbox::Plan;
use agon_abi::{Layer, Layers};
use std::io::{self, Read};
use std::path::PathBuf;

/// What a host was asked to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The layers to enter.
    pub layers: Layers,
    /// Those without which nothing of the client may run.
    pub required: Layers,
    /// Resident memory the server allows, bytes; sets the far backstop of the address space.
    pub memory: Option<u64>,
    /// The client's file.
    pub file: PathBuf,
    /// Files that the client reads besides.
    pub also: Vec<PathBuf>,
    /// Files that are mapped for it, by the name that it asks by.
    pub data: Vec<(String, PathBuf)>,
    /// What runs the file, which is no library then.
    pub program: Option<Program>,
}

impl Settings {
    /// For this file: every layer, all of them required, and nothing else.
    pub fn of(file: impl Into<PathBuf>) -> Settings {
        Settings {
            layers: Layers::ALL,
            required: Layers::ALL,
            memory: None,
            file: file.into(),
            also: Vec::new(),
            data: Vec::new(),
            program: None,
        }
    }

    /// As a record.
    ///
    /// # Errors
    /// A text in it is too long or has a NUL.
    pub fn pack(&self) -> Result<Vec<u8>, Malformed> {
        let mut packer = Packer::new(Kind::Client);
        packer.number(self.layers.0.into());
        packer.number(self.required.0.into());
        packer.optional(self.memory);
        packer.text(&self.file);
        packer.texts(&self.also);
        packer.texts(&self.data.iter().map(|(name, _)| name).collect::<Vec<_>>());
        packer.texts(&self.data.iter().map(|(_, file)| file).collect::<Vec<_>>());
        packer.number(self.program.is_some().into());
        if let Some(program) = &self.program {
            packer.text(&program.interpreter);
            packer.texts(&program.words);
        }
        packer.finish()
    }

    /// From a whole record.
    ///
    /// # Errors
    /// No server of this version writes it.
    pub fn unpack(record: &[u8]) -> Result<Settings, Malformed> {
        let mut fields = Unpacker::new(record, Kind::Client)?;
        let (layers, required) = (layers(fields.number()?)?, layers(fields.number()?)?);
        let memory = fields.optional()?;
        let (file, also) = (PathBuf::from(fields.text()?), fields.texts()?);
        let (names, files) = (fields.texts::<std::ffi::OsString>()?, fields.texts::<PathBuf>()?);
        let names: Option<Vec<String>> = names.into_iter().map(|name| name.into_string().ok()).collect();
        let names = names.filter(|names| names.len() == files.len()).ok_or(Malformed::Value)?;
        let program = match fields.number()? {
            0 => None,
            1 => Some(Program { interpreter: fields.text()?.into(), words: fields.texts()? }),
            _ => return Err(Malformed::Value),
        };
        fields.end()?;
        let data = names.into_iter().zip(files).collect();
        Ok(Settings { layers, required, memory, file, also, data, program })
    }

    /// From where a server sends them; nothing beyond them is read.
    ///
    /// # Errors
    /// No such record comes.
    pub fn receive(source: &mut impl Read) -> io::Result<Settings> {
        receive(source).and_then(|record| Settings::unpack(&record).map_err(io::Error::other))
    }

    /// Which of the required layers are not among those that hold.
    pub fn missing(&self, held: Layers) -> Vec<&'static str> {
        self.required.iter().filter(|layer| !held.has(*layer)).map(Layer::name).collect()
    }

    /// Maps the files that the client gets, before the sandbox closes.
    ///
    /// # Errors
    /// Which of them cannot be mapped, and why.
    pub fn map_data(&self) -> Result<Data, String> {
        Data::map(self.data.iter().map(|(name, file)| (name.as_str(), file.as_path())))
    }

    /// The sandbox that these settings ask for, where `start` is what the process becomes, if that is a program.
    pub fn plan<'a>(&'a self, start: Option<&'a Start>) -> Plan<'a> {
        Plan {
            layers: self.layers,
            memory: self.memory,
            file: &self.file,
            also: &self.also,
            debugged: false,
            program: start,
        }
    }
}

fn layers(number: u64) -> Result<Layers, Malformed> {
    let bits = u32::try_from(number).ok().filter(|bits| bits & !Layers::ALL.0 == 0);
    bits.map(Layers).ok_or(Malformed::Value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_comes_through_and_no_text_becomes_one() {
        let hostile = ["--", "--sandbox", "off", "--program", "/usr/bin/python3", "", "\n"];
        let settings = Settings {
            layers: Layers::ALL,
            required: Layers::ALL.without(Layer::Limits),
            memory: Some(64),
            file: "--sandbox".into(),
            also: hostile.map(PathBuf::from).to_vec(),
            data: hostile.map(|word| (word.to_owned(), word.into())).to_vec(),
            program: Some(Program { interpreter: "--".into(), words: hostile.map(Into::into).to_vec() }),
        };
        assert_eq!(Settings::unpack(&settings.pack().unwrap()), Ok(settings));
        let alone = Settings::of("a.so");
        assert_eq!(Settings::unpack(&alone.pack().unwrap()), Ok(alone));
    }

    #[test]
    fn layers_that_there_are_not_are_refused() {
        let settings = Settings { layers: Layers(16), ..Settings::of("a.so") };
        assert_eq!(Settings::unpack(&settings.pack().unwrap()), Err(Malformed::Value));
        assert_eq!(Settings::of("a.so").missing(Layers(3)), ["landlock", "seccomp"]);
    }
}
