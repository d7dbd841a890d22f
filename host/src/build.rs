//! `agon-host --build` reads a packet of bounds and a command from its standard input, enters the sandbox of a build,
//! and becomes the command. Nothing is built outside of it.

use crate::packet::{Malformed, Packer, PacketKind, Unpacker, receive};
use crate::sandbox::building::{self, BuildBounds};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// A build: the command, and the bounds within which it runs.
#[derive(Clone, Debug)]
pub struct Build {
    pub bounds: BuildBounds,
    /// The program and its arguments.
    pub command: Vec<OsString>,
}

impl Build {
    /// Packs the build as a packet.
    ///
    /// # Errors
    /// A text in it is too long or has a NUL.
    pub fn pack(&self) -> Result<Vec<u8>, Malformed> {
        let BuildBounds { folder, also, folders, tools, user, processes } = &self.bounds;
        let mut packer = Packer::new(PacketKind::Build);
        packer.text(folder);
        packer.texts(also);
        packer.texts(folders);
        packer.texts(tools);
        packer.optional(user.map(u64::from));
        packer.number(*processes);
        packer.texts(&self.command);
        packer.finish()
    }

    /// Reads the build from a whole packet.
    ///
    /// # Errors
    /// No server of this version writes such a packet.
    pub fn unpack(packet: &[u8]) -> Result<Build, Malformed> {
        let mut fields = Unpacker::new(packet, PacketKind::Build)?;
        let (folder, also) = (fields.text()?.into(), fields.texts()?);
        let (folders, tools) = (fields.texts()?, fields.texts()?);
        let user = fields.optional()?.map(u32::try_from).transpose().map_err(|_| Malformed::Value)?;
        let (processes, command) = (fields.number()?, fields.texts::<OsString>()?);
        fields.end()?;
        if command.is_empty() {
            return Err(Malformed::Value);
        }
        Ok(Build { bounds: BuildBounds { folder, also, folders, tools, user, processes }, command })
    }
}

/// Becomes the command that the packet names. Returns only if that fails, with the reason.
pub fn become_build() -> String {
    let build = receive(&mut io::stdin().lock()).and_then(|packet| Build::unpack(&packet).map_err(io::Error::other));
    let Build { bounds, command } = match build {
        Ok(build) => build,
        Err(error) => {
            return format!("--build reads what to build from standard input, as agon build writes it: {error}");
        }
    };
    if let Err(error) = std::env::set_current_dir(&bounds.folder) {
        return format!("{}: {error}", bounds.folder.display());
    }
    if let Err(why) = building::enter(&bounds) {
        return format!("no sandbox, so nothing is built: {why}");
    }
    let error = Command::new(&command[0]).args(&command[1..]).stdin(Stdio::null()).exec();
    format!("{}: {error}", command[0].display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_comes_through_and_no_word_of_its_command_becomes_a_bound() {
        let hostile = ["--also", "/", "--", "--user", "0"];
        let bounds = BuildBounds {
            folder: "--".into(),
            also: vec!["--tools".into()],
            folders: vec!["--also".into()],
            tools: Vec::new(),
            user: Some(7),
            processes: 200,
        };
        let build = Build { bounds, command: hostile.map(OsString::from).to_vec() };
        let read = Build::unpack(&build.pack().unwrap()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{build:?}"));
        let nothing = Build { command: Vec::new(), ..build };
        assert_eq!(Build::unpack(&nothing.pack().unwrap()).unwrap_err(), Malformed::Value);
    }
}
