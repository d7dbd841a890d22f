//! The settings that a server gives to a host, or to a look at a new file; they travel as one packet
//! ([`crate::packet`]).

use crate::Data;
use crate::packet::{Malformed, Packer, PacketKind, Unpacker, receive};
use crate::program::{OpenProgram, Program};
use crate::sandbox::SandboxPlan;
use agon_abi::{Layer, Layers};
use std::io::{self, Read};
use std::path::PathBuf;

/// The settings of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSettings {
    pub layers: Layers,
    /// The layers without which no code of the client may run.
    pub required: Layers,
    /// Resident memory that the server allows, bytes; it also sets the distant backstop of the address space.
    pub memory: Option<u64>,
    pub file: PathBuf,
    /// Other files that the client reads.
    pub also: Vec<PathBuf>,
    /// Folders that the ladder opens to it, each without a link in its path.
    pub folders: Vec<PathBuf>,
    /// Files that are mapped for the client, by the names that it asks by.
    pub data: Vec<(String, PathBuf)>,
    /// The interpreter, for a file that is not a library.
    pub program: Option<Program>,
}

impl HostSettings {
    /// Settings for this file: every layer, all of them required, and nothing else.
    pub fn of(file: impl Into<PathBuf>) -> HostSettings {
        HostSettings {
            layers: Layers::ALL,
            required: Layers::ALL,
            memory: None,
            file: file.into(),
            also: Vec::new(),
            folders: Vec::new(),
            data: Vec::new(),
            program: None,
        }
    }

    /// Packs the settings as a packet.
    ///
    /// # Errors
    /// A text is too long or has a NUL.
    pub fn pack(&self) -> Result<Vec<u8>, Malformed> {
        let mut packer = Packer::new(PacketKind::Client);
        packer.number(self.layers.0.into());
        packer.number(self.required.0.into());
        packer.optional(self.memory);
        packer.text(&self.file);
        packer.texts(&self.also);
        packer.texts(&self.folders);
        packer.texts(&self.data.iter().map(|(name, _)| name).collect::<Vec<_>>());
        packer.texts(&self.data.iter().map(|(_, file)| file).collect::<Vec<_>>());
        packer.number(self.program.is_some().into());
        if let Some(program) = &self.program {
            packer.text(&program.interpreter);
            packer.texts(&program.words);
        }
        packer.finish()
    }

    /// Reads the settings from a whole packet.
    ///
    /// # Errors
    /// No server of this version writes such a packet.
    pub fn unpack(packet: &[u8]) -> Result<HostSettings, Malformed> {
        let mut fields = Unpacker::new(packet, PacketKind::Client)?;
        let (layers, required) = (layers(fields.number()?)?, layers(fields.number()?)?);
        let memory = fields.optional()?;
        let (file, also, folders) = (PathBuf::from(fields.text()?), fields.texts()?, fields.texts()?);
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
        Ok(HostSettings { layers, required, memory, file, also, folders, data, program })
    }

    /// Reads the settings that a server sends, and no byte after them.
    ///
    /// # Errors
    /// No such packet comes.
    pub fn receive(source: &mut impl Read) -> io::Result<HostSettings> {
        receive(source).and_then(|packet| HostSettings::unpack(&packet).map_err(io::Error::other))
    }

    /// The required layers that do not hold.
    pub fn missing(&self, held: Layers) -> Vec<&'static str> {
        self.required.iter().filter(|layer| !held.has(*layer)).map(Layer::name).collect()
    }

    /// Maps the client's files before the sandbox closes.
    ///
    /// # Errors
    /// One of them cannot be mapped; the text names it.
    pub fn map_data(&self) -> Result<Data, String> {
        Data::map(self.data.iter().map(|(name, file)| (name.as_str(), file.as_path())))
    }

    /// The sandbox for these settings; `start` is the program that the process becomes, if it becomes one.
    pub fn plan<'a>(&'a self, start: Option<&'a OpenProgram>) -> SandboxPlan<'a> {
        SandboxPlan {
            layers: self.layers,
            memory: self.memory,
            file: &self.file,
            also: &self.also,
            folders: &self.folders,
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
        let settings = HostSettings {
            layers: Layers::ALL,
            required: Layers::ALL.without(Layer::Limits),
            memory: Some(64),
            file: "--sandbox".into(),
            also: hostile.map(PathBuf::from).to_vec(),
            folders: hostile.map(PathBuf::from).to_vec(),
            data: hostile.map(|word| (word.to_owned(), word.into())).to_vec(),
            program: Some(Program { interpreter: "--".into(), words: hostile.map(Into::into).to_vec() }),
        };
        assert_eq!(HostSettings::unpack(&settings.pack().unwrap()), Ok(settings));
        let alone = HostSettings::of("a.so");
        assert_eq!(HostSettings::unpack(&alone.pack().unwrap()), Ok(alone));
    }

    #[test]
    fn layers_that_there_are_not_are_refused() {
        let settings = HostSettings { layers: Layers(16), ..HostSettings::of("a.so") };
        assert_eq!(HostSettings::unpack(&settings.pack().unwrap()), Err(Malformed::Value));
        assert_eq!(HostSettings::of("a.so").missing(Layers(3)), ["landlock", "seccomp"]);
    }
}
