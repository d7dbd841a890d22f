//! The texts of the pages of a ladder and its teams in two languages: a page asks by the English one.

use agon_games::Language;

/// A text in this language. The test below knows that all texts of the pages are in the table.
pub(super) fn text(language: Language, english: &'static str) -> &'static str {
    let french = || TEXTS.iter().find(|(text, _)| *text == english).map_or(english, |(_, french)| *french);
    if language == Language::French { french() } else { english }
}

#[rustfmt::skip]
pub(super) const TEXTS: &[(&str, &str)] = &[
    // Ways to other pages.
    ("Ladders", "Tournois"),
    ("Ladder", "Tournoi"),
    ("Ladder ", "Tournoi "),
    ("Standings", "Classement"),
    ("Matches", "Parties"),
    ("Matches of", "Parties de"),
    ("Hall", "Salle"),
    ("Play", "Jouer"),
    ("Submissions", "Travaux rendus"),
    ("All submissions", "Tous les travaux rendus"),
    ("All of it", "Toutes les pages"),
    ("contents", "sommaire"),
    ("Show", "Afficher"),
    // The result.
    ("Result", "Résultat"),
    ("not worse than", "au moins aussi bon que"),
    ("better than", "meilleur que"),
    (" is ", " est "),
    (": H1 is accepted after ", " : H1 est acceptée après "),
    (" has not been shown to be ", " : rien ne montre qu’il est "),
    (": H0 is accepted after ", " : H0 est acceptée après "),
    ("The test cannot tell whether ", "Le test ne peut pas dire si "),
    (": after ", " : après "),
    (", too few openings differ.", ", trop peu d’ouvertures diffèrent."),
    ("The test ended without an answer after ", "Le test a fini sans réponse après "),
    (": it is open whether ", " : on ne sait pas si "),
    ("No answer so far, after ", "Pas encore de réponse, après "),
    ("pair", "paire"),
    ("pairs", "paires"),
    ("No winner yet: ", "Pas encore de vainqueur : "),
    ("No result yet: ", "Pas encore de résultat : "),
    ("is being played", "en cours"),
    ("nothing is drawn", "rien n’est tiré au sort"),
    (" wins the knockout.", " gagne l’élimination directe."),
    (" leads the Swiss after ", " mène le système suisse après "),
    (", with ", ", avec "),
    (" is at the top of the ranking after ", " est en tête du classement après "),
    ("round", "ronde"),
    ("playoff of round", "barrage de la ronde"),
    ("placement", "match de classement"),
    ("challenges", "défis"),
    ("rounds", "rondes"),
    ("stage", "étape"),
    ("stages", "étapes"),
    ("point", "point"),
    ("points", "points"),
    ("No match is played yet.", "Aucune partie n’est encore jouée."),
    ("the lower the better", "le plus bas est le meilleur"),
    ("the higher the better", "le plus haut est le meilleur"),
    ("with a mean score of", "avec un score moyen de"),
    ("with", "avec"),
    (" with ", " avec "),
    ("points a match", "points par partie"),
    (" points a match", " points par partie"),
    (" and ", " et "),
    (" share the first place ", " partagent la première place "),
    (" is first ", " est premier "),
    (" The results do not tell it from ", " Les résultats ne le distinguent pas de "),
    (" at 95 %.", " à 95 %."),
    ("The first ", "Les premiers : "),
    ("Sequential test", "Test séquentiel"),
    (", alpha ", ", alpha "),
    (", beta ", ", bêta "),
    (". The log likelihood ratio is ", ". Le rapport de vraisemblance (log) vaut "),
    ("; the bounds are ", " ; les bornes sont "),
    ("Swiss", "Système suisse"),
    ("Knockout", "Élimination directe"),
    ("Ranking", "Classement continu"),
    ("Equal points are parted by the points of the opponents. A bye counts as a meeting won.", "À points égaux, les points des adversaires décident. Un exempt compte comme une rencontre gagnée."),
    ("Opponents’", "Adversaires"),
    ("Round ", "Ronde "),
    ("bye", "exempt"),
    ("Each challenges the neighbour above and takes its place by winning. Elo follows the meetings one after another, from 0.", "Chacun défie son voisin du dessus et prend sa place s’il gagne. L’Elo suit les rencontres l’une après l’autre, à partir de 0."),
    ("Meetings", "Rencontres"),
    ("Elo", "Elo"),
    ("A tie that playoffs leave goes to the one higher in the seeding.", "Si les barrages ne décident pas, la meilleure tête de série passe."),
    ("Final", "Finale"),
    (", goes on", ", continue"),
    ("Winner", "Vainqueur"),
    // Standings.
    ("Points in all matches", "Points de toutes les parties"),
    (", the first ", ", les premiers : "),
    (" of ", " sur "),
    ("Client", "Client"),
    ("Points", "Points"),
    ("Score", "Score"),
    ("95 % interval", "Intervalle à 95 %"),
    ("to", "à"),
    (" to ", " à "),
    ("Mean rank", "Rang moyen"),
    ("Mean score", "Score moyen"),
    ("Interval", "Intervalle"),
    ("Won", "Gagnées"),
    ("Drawn", "Nulles"),
    ("Lost", "Perdues"),
    ("Beaten", "Battus"),
    ("Level", "Égaux"),
    ("Behind", "Devant lui"),
    ("Faults", "Fautes"),
    ("First fault", "Première faute"),
    ("Since the report before", "Depuis le rapport précédent"),
    ("new", "nouveau"),
    ("up", "monte de"),
    ("down", "descend de"),
    ("highlight", "mettre en évidence"),
    (" Whiskers are 95 % intervals.", " Les barres sont des intervalles à 95 %."),
    (" Beaten, level and behind count the opponents of all matches.", " Battus, égaux et devant lui comptent les adversaires de toutes les parties."),
    ("The lower the mean score, the better.", "Plus le score moyen est bas, mieux c’est."),
    ("The higher the mean score, the better.", "Plus le score moyen est haut, mieux c’est."),
    ("More points a match stand higher.", "Qui a plus de points par partie est plus haut."),
    ("By setting", "Par réglage"),
    ("Setting", "Réglage"),
    ("Mean score on each setting.", "Score moyen sur chaque réglage."),
    ("Points a match on each setting.", "Points par partie sur chaque réglage."),
    ("By seat", "Par place au plateau"),
    ("Seat", "Place"),
    ("Won alone", "Gagnées seul"),
    ("Shared", "Partagées"),
    ("Share won", "Part gagnée"),
    ("seat", "place"),
    ("seats", "places"),
    ("match", "partie"),
    ("matches", "parties"),
    ("block", "bloc"),
    ("blocks", "blocs"),
    (" in ", " en "),
    (" in match ", " dans la partie "),
    ("(staff)", "(enseignants)"),
    ("The table as text", "Le tableau en texte"),
    ("Data for programs", "Données pour programmes"),
    ("Data", "Données"),
    ("These are the standings. Ratings, who fared how against whom and how the table came about are being made, and follow here by themselves.", "Voici le classement. Les cotes, les bilans entre clients et l’évolution du tableau sont en préparation et suivront d’eux-mêmes."),
    ("Void, not counted", "Annulées, pas comptées"),
    (" tries", " essais"),
    (": good for debugging, not for a rating", " : bon pour la mise au point, pas pour une cote"),
    ("Refused by admission", "Refusés à l’admission"),
    ("Set aside", "Mis de côté"),
    // Ratings.
    ("Ratings", "Cotes"),
    ("The ratings of all ", "Les cotes de tous : "),
    (" clients", " clients"),
    (", and whose order may be chance.", ", et dont l’ordre tient peut-être au hasard."),
    ("Strengths fitted to all results at once, in ", "Forces ajustées à tous les résultats à la fois, en "),
    (", with 95 % intervals.", ", avec intervalles à 95 %."),
    (" An end is ", " Une borne est "),
    ("open", "ouverte"),
    (" where no result bounds it, as of one who never lost.", " si aucun résultat ne la limite, comme pour qui n’a jamais perdu."),
    ("Rating", "Cote"),
    ("From", "De"),
    ("To", "À"),
    ("Each not separated from the next by the results: ", "Les résultats ne séparent pas chacun du suivant : "),
    ("No result connects these groups, and ratings of different ones cannot be compared: ", "Aucun résultat ne relie ces groupes, et leurs cotes ne se comparent pas : "),
    // Against whom, and how it came about.
    ("Crosstable", "Tableau croisé"),
    ("Who fared how against whom", "Les bilans entre clients"),
    ("There are ", "Il y a "),
    (" clients: ", " clients : "),
    ("a picture", "une image"),
    (" has all of them, and the page of each its opponents.", " les montre tous, et la page de chacun ses adversaires."),
    ("Wins-draws-losses of the client of the row: bold where it won more, shaded where it lost more. A cell leads to the matches of the two.", "Gains-nuls-pertes du client de la ligne : en gras s’il a gagné plus, ombré s’il a perdu plus. Une case mène aux parties des deux."),
    ("Each dot is what the client of its row came to against the client of its column, both in the order of the ", "Chaque point est le bilan du client de sa ligne contre celui de sa colonne, dans l’ordre du "),
    ("standings", "classement"),
    (", the first at the top and on the left. The darker, the more it won; white where the two never met. The page of each client has its opponents in words.", ", le premier en haut et à gauche. Plus il est foncé, plus il a gagné ; blanc si les deux ne se sont jamais rencontrés. La page de chaque client a ses adversaires en mots."),
    ("lost all ", "tout perdu "),
    (" won all", " tout gagné"),
    ("the pages of the clients say the same in words", "les pages des clients disent la même chose en mots"),
    ("History", "Évolution"),
    ("How it came about", "Comment le tableau s’est formé"),
    ("Mean points a match after this many matches of the ladder, of the first ", "Points moyens par partie après ce nombre de parties du tournoi, pour les premiers : "),
    (" of the table; ", " du tableau ; "),
    (" has all.", " a tout."),
    ("by matches played; the table below says the same", "selon les parties jouées ; le tableau en dessous dit la même chose"),
    ("Ratings then", "Cotes à ce moment-là"),
    ("Fitted to all results up to then, with 95 % intervals, of which an end that is open is not drawn.", "Ajustées à tous les résultats obtenus jusque-là, avec intervalles à 95 % ; une borne ouverte n’est pas dessinée."),
    ("After ", "Après "),
    // How it was played.
    ("How it was played", "Les règles du tournoi"),
    ("Seed ", "Graine "),
    (", drawn", ", tirée au sort"),
    (", given", ", donnée"),
    ("the board of", "le plateau de"),
    ("All terms", "Toutes les conditions"),
    ("time of ", "temps de "),
    // A client, and two.
    ("Place ", "Rang "),
    (" (95 % interval ", " (intervalle à 95 % : "),
    ("; mean rank ", " ; rang moyen "),
    (", mean score ", ", score moyen "),
    ("Opponents", "Adversaires"),
    ("The ", "Les "),
    (" that are nearest in the standings, of ", " plus proches au classement, sur "),
    ("Wins-draws-losses", "Gains-nuls-pertes"),
    ("What went wrong", "Ce qui n’a pas marché"),
    ("Nothing.", "Rien."),
    ("; notices: ", " ; avis : "),
    ("fault", "faute"),
    (", turn ", ", tour "),
    ("Best wins", "Meilleures victoires"),
    ("Worst losses", "Pires défaites"),
    ("None.", "Aucune."),
    ("against", "contre"),
    (" against ", " contre "),
    (": wins-draws-losses ", " : gains-nuls-pertes "),
    (" matches. Matches of one block, from each seat, stand together.", " parties. Les parties d’un bloc, de chaque place, se suivent."),
    (" are listed; matches.csv has all.", " sont listées ; matches.csv les a toutes."),
    ("Matches are listed of the newest ", "Sont listées les parties les plus récentes : "),
    (" of this ladder.", " de ce tournoi."),
    // Lists of matches.
    ("Match", "Partie"),
    ("Seats", "Places"),
    ("Ranks", "Rangs"),
    ("Scores", "Scores"),
    ("Turns", "Tours"),
    ("The newest ", "Les plus récentes : "),
    // What is under way.
    ("On the boards", "Sur les plateaux"),
    ("Follow", "Suivre"),
    ("Hands are hidden until it is over.", "Les mains restent cachées jusqu’à la fin."),
    (": turn ", " : tour "),
    ("Faults as they come", "Les fautes au fur et à mesure"),
    ("What else happened", "Autres événements"),
    ("Last faults", "Dernières fautes"),
    ("left out", "laissées de côté"),
    ("The run has ended:", "Fini :"),
    ("Under way:", "En cours :"),
    ("a second", "par seconde"),
    ("time left: about", "temps restant :"),
    ("workers play", "des machines jouent"),
    ("at once", "à la fois"),
    ("matches played", "parties jouées"),
    // The wall of a hall.
    ("Follow and play on your phone", "Suivez et jouez sur votre téléphone"),
    ("Follow on your phone", "Suivez sur votre téléphone"),
    ("For teams that have opened their link before", "Pour les équipes qui ont déjà ouvert leur lien"),
    ("Only this machine can open these pages. Start agon serve with --listen 0.0.0.0, or agon ladder with --serve=0.0.0.0: a code for phones then stands here.", "Seule cette machine peut ouvrir ces pages. Lancez agon serve avec --listen 0.0.0.0, ou agon ladder avec --serve=0.0.0.0 : un code pour téléphones apparaît alors ici."),
    // Ladders of a record, and which matches a list has.
    ("There is nothing yet. What begins is shown here.", "Il n’y a encore rien. Ce qui commence apparaît ici."),
    ("The ladders of this record, the one worked on last first.", "Les tournois de cette base, le dernier actif en premier."),
    ("Game", "Jeu"),
    ("Blocks played", "Blocs joués"),
    ("which matches", "quelles parties"),
    ("Against", "Contre"),
    ("Ending", "Fin"),
    ("Board", "Plateau"),
    ("all", "tout"),
    ("by the rules", "selon les règles"),
    ("by a fault", "par une faute"),
    ("early, as both named the winner", "avant terme, les deux nommant le vainqueur"),
    ("more than", "plus de"),
    ("Match, winners in bold", "Partie, vainqueurs en gras"),
    ("Id", "Numéro"),
    ("The newest", "Les plus récentes"),
    ("Newest first", "Les plus récentes d’abord"),
    ("The longest of the matches searched, at most 50.", "Les plus longues des parties parcourues, 50 au plus."),
    ("Older ones", "Plus anciennes"),
    ("Searched back to ", "Cherché jusqu’à "),
    ("Search on", "Chercher plus loin"),
    ("There are none as far as was searched.", "Il n’y en a pas parmi celles déjà parcourues."),
    ("There are none.", "Il n’y en a pas."),
    // Teams and what they hand in.
    (" teams, ", " équipes, "),
    (" files; ", " fichiers ; "),
    (" of them refused by admission. “Seen” is when agon first saw these contents here; a file that is changed is a new version.", " refusés à l’admission. « Vu » dit quand agon a vu ce contenu ici pour la première fois ; un fichier changé est une nouvelle version."),
    ("Team", "Équipe"),
    ("File", "Fichier"),
    ("Seen", "Vu"),
    ("SHA-256", "SHA-256"),
    ("Status", "État"),
    ("version ", "version "),
    ("The same file", "Le même fichier"),
    ("Byte for byte.", "Octet pour octet."),
    ("The same code", "Le même code"),
    ("Files that differ, with the same machine code once names, texts and addresses are left out: copies of one source, or of one starter. It is a reason to look, and no proof.", "Des fichiers différents au même code machine, noms, textes et adresses mis à part : copies d’une source, ou d’un modèle. C’est une raison de regarder, pas une preuve."),
    ("Of the newest file of each.", "Du fichier le plus récent de chacun."),
    (". This page is for your team alone: whoever has its link sees what your client printed. Others see your results, and why you lost only as a word.", ". Cette page est pour votre équipe seule : qui a son lien voit ce que votre client a écrit. Les autres voient vos résultats, et d’un mot pourquoi vous avez perdu."),
    ("This team has not submitted anything yet. Its files will appear here by themselves.", "Rien de cette équipe n’est encore ici. Ce qu’elle rend apparaîtra ici tout seul."),
    ("Submit", "Rendre"),
    ("A compiled client, at most ", "Un client compilé, au plus "),
    ("until", "jusqu’au"),
    ("This takes scripts.", "Il faut activer les scripts du navigateur."),
    ("It is looked at first. If it is refused, the one before stays; if it is taken, it plays as a new version.", "Il est d’abord examiné. S’il est refusé, le précédent reste ; s’il est pris, il joue comme nouvelle version."),
    ("Nothing is taken any more", "Plus rien n’est pris"),
    (": the closing time was ", " : l’heure limite était "),
    ("taken", "pris"),
    ("refused", "refusé"),
    ("Submitted", "Rendu"),
    ("What went wrong last", "La dernière faute"),
    (", the last one first.", ", la dernière en premier."),
    ("None yet.", "Aucune pour l’instant."),
    ("Output", "Sortie"),
    ("output", "sortie"),
    ("output in", "sortie de la partie"),
    ("Rank", "Rang"),
    ("Fault", "Faute"),
    // The page of workers.
    ("Load again", "Recharger"),
    ("Workers choose their names. A button acts on the machine of its row alone. Void works while no ladder is played.", "Les ouvriers choisissent leur nom. Un bouton n'agit que sur la machine de sa ligne. Annuler ne marche que si aucun tournoi n'est en cours."),
    ("Number", "Numéro"),
    ("Line", "Invitation"),
    ("more left and are not listed; this command lists all:", "autres sont partis et ne sont pas montrés ; cette commande les montre tous :"),
    ("No worker has come yet.", "Aucun ouvrier n'est encore venu."),
    ("Workers", "Ouvriers"),
    ("Worker", "Ouvrier"),
    ("State", "État"),
    ("Cores", "Cœurs"),
    ("Matches at once", "Parties à la fois"),
    ("Speed", "Vitesse"),
    ("Blocks now", "Blocs en cours"),
    ("Blocks", "Blocs"),
    ("Blocks an hour", "Blocs par heure"),
    ("Refused", "Refusés"),
    ("Last heard of", "Dernier contact"),
    ("Change", "Modifier"),
    ("plays", "joue"),
    ("silent", "silencieux"),
    ("ends after its blocks", "se termine après ses blocs"),
    ("gone", "parti"),
    ("banned", "exclu"),
    ("Drain", "Faire finir"),
    ("Ban", "Exclure"),
    ("Void", "Annuler ses résultats"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The texts in English that the sources of the pages ask for: `t("…")`, and both words of a count.
    fn asked_for() -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/site");
        let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        let sources = files.chain([folder.with_extension("rs")]).filter(|file| !file.ends_with("texts.rs"));
        let all: String = sources.map(|file| std::fs::read_to_string(file).unwrap()).collect();
        let until_quote = |rest: &str| rest.split('"').next().unwrap().to_owned();
        let texts = all.split(".t(\"").skip(1).chain(all.split("(t(\"").skip(1)).map(until_quote);
        let counts = all.split(".counted(").skip(1).filter_map(|rest| {
            let words: Vec<&str> = rest.split(')').next()?.split('"').collect();
            Some([*words.get(1)?, *words.get(3)?].map(str::to_owned))
        });
        texts.chain(counts.flatten()).collect()
    }

    #[test]
    fn every_text_of_the_pages_has_both_languages() {
        let asked = asked_for();
        assert!(asked.len() > 150, "{}", asked.len());
        let known: BTreeSet<&str> = TEXTS.iter().map(|(english, _)| *english).collect();
        assert_eq!(known.len(), TEXTS.len(), "a text is there twice");
        let missing: Vec<&String> = asked.iter().filter(|text| !known.contains(text.as_str())).collect();
        assert_eq!(missing, [""; 0], "texts without French");
        assert!(TEXTS.iter().all(|(_, french)| !french.is_empty()));
    }

    #[test]
    fn every_text_that_is_there_is_used() {
        // Some are chosen before they are asked for, a few of them by the server.
        let server = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = server.join("src/site");
        let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        let files = files.filter(|file| !file.ends_with("texts.rs"));
        let others = [folder.with_extension("rs"), server.join("../live/src/match_filter.rs")];
        let sources: String = files.chain(others).map(|file| std::fs::read_to_string(file).unwrap()).collect();
        // A long text goes on in the next line.
        let sources: String = sources.split("\\\n").map(|line| line.trim_start_matches(' ')).collect();
        let texts = TEXTS.iter().map(|(english, _)| *english);
        let unused: Vec<&str> = texts.filter(|english| !sources.contains(&format!("\"{english}\""))).collect();
        assert_eq!(unused, [""; 0], "texts that no page has");
    }

    #[test]
    fn what_stands_in_a_page_is_asked_for() {
        // Words of English between tags of a source, which nobody translates.
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/site");
        let mut left = Vec::new();
        for file in std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap();
            for line in text.split("#[cfg(test)]").next().unwrap().lines() {
                let is_text = |after: &str| after.trim_start().starts_with(|c: char| c.is_alphabetic());
                let plain = line.split("{ \"").skip(1).filter(|after| is_text(after));
                left.extend(
                    plain.filter(|after| !after.contains("=>")).map(|after| format!("{}: {after}", file.display())),
                );
            }
        }
        // Names of files and commands, ends of an axis, and the page that leads on before anything can be read.
        let known = [
            "H0 ",
            "standings.json",
            "history.json",
            "matches.csv",
            "ratings.json",
            "end\"",
            "start\"",
            "Go on",
            "agon worker list",
        ];
        left.retain(|line| !known.iter().any(|known| line.contains(&format!(": {known}"))));
        assert_eq!(left, [""; 0]);
    }
}
