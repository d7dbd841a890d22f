//! The kinds of faults and notices in French. In English their names say what they are, and other commands ask for
//! them by these names, so a French text has them too.

use agon_games::Language;

/// A kind: its name, and in French what it means before the name.
pub fn kind_text(name: &str, language: Language) -> String {
    let french = FRENCH.iter().find(|(known, _)| *known == name).filter(|_| language == Language::French);
    french.map_or_else(|| name.to_owned(), |(name, french)| format!("{french} ({name})"))
}

const FRENCH: [(&str, &str); 21] = [
    ("illegal-move", "coup interdit"),
    ("cpu-time", "temps de calcul dépassé"),
    ("wall-time", "temps dépassé"),
    ("stalled", "pas de réponse"),
    ("crash", "plantage"),
    ("early-exit", "arrêt spontané"),
    ("forbidden-call", "appel système interdit"),
    ("out-of-memory", "mémoire dépassée"),
    ("too-many-threads", "trop de fils d’exécution"),
    ("protocol", "réponse illisible"),
    ("declined", "partie refusée par le client"),
    ("load-failure", "chargement impossible"),
    ("out-of-turn", "calcul hors de son tour"),
    ("denied-file", "fichier refusé"),
    ("capped-output", "sortie coupée"),
    ("blocked-signals", "signaux bloqués"),
    ("bad-name", "nom inutilisable"),
    ("finalize", "échec dans finalize"),
    ("missing-layer", "couche absente"),
    ("kept-waiting", "retenu par la machine"),
    ("dawdling", "fait attendre les autres"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::{FaultKind, NoticeKind};
    use std::collections::BTreeSet;
    use strum::VariantArray;

    #[test]
    fn every_kind_has_its_french() {
        let notices = NoticeKind::VARIANTS.iter().map(|kind| kind.name());
        let all: BTreeSet<&str> = FaultKind::names().chain(notices).collect();
        assert_eq!(FRENCH.iter().map(|(name, _)| *name).collect::<BTreeSet<&str>>(), all);
        assert_eq!(kind_text("crash", Language::French), "plantage (crash)");
        assert_eq!(kind_text("crash", Language::English), "crash");
    }
}
