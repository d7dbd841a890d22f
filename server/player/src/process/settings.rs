//! The settings of a client's host, by the policy of its ladder.

use super::Process;
use agon_abi::{Layer, Layers};
use agon_host::settings::HostSettings;
use agon_model::ClientFiles;
use agon_model::{SandboxMode, SandboxPolicy};
use std::path::{Path, PathBuf};

impl Process {
    /// The settings for its host.
    pub(super) fn settings(&self) -> HostSettings {
        let ClientFiles { library, behind, data } = &self.launch.files;
        let (layers, required) = layers_of(&self.launch.sandbox);
        let mut settings = HostSettings { layers, required, ..HostSettings::of(library) };
        settings.memory = Some(self.launch.limits.memory);
        match &self.program {
            None => {
                settings.also = behind.iter().cloned().collect();
                settings.folders = self.opened(&self.launch.sandbox.libraries).collect();
                settings.data = data.iter().map(|(name, file)| (name.clone(), file.clone())).collect();
            }
            Some(program) => {
                let SandboxPolicy { libraries, runtimes, .. } = &self.launch.sandbox;
                settings.also = behind.iter().cloned().chain(program.readable(library)).collect();
                settings.folders = self.opened(libraries).chain(self.opened(runtimes)).collect();
                settings.program = Some(program.of_host());
            }
        }
        settings
    }

    /// The folders that a ladder opens, but for one that has the copies of clients in it, or may have.
    fn opened<'a>(&'a self, folders: &'a [PathBuf]) -> impl Iterator<Item = PathBuf> + 'a {
        let has = |folder: &PathBuf, copy: &Path| copy.canonicalize().map_or(true, |copy| copy.starts_with(folder));
        folders.iter().filter(move |folder| !self.launch.files.all().any(|copy| has(folder, copy))).cloned()
    }
}

/// The layers that a host enters by this policy, and those without which it opens no client.
pub fn layers_of(policy: &SandboxPolicy) -> (Layers, Layers) {
    let wanted = Layer::ALL.into_iter().filter(|layer| !policy.without.iter().any(|name| name == layer.name()));
    match policy.mode {
        SandboxMode::Off => (Layers::NONE, Layers::NONE),
        SandboxMode::Auto => (wanted.fold(Layers::NONE, Layers::with), Layers::NONE),
        SandboxMode::Strict => (wanted.fold(Layers::NONE, Layers::with), Layers::ALL),
    }
}
