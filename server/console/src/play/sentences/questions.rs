//! The questions that a person is asked before a match.

use super::PlayWords;

impl PlayWords {
    pub fn how_many_players(self, fewest: usize, most: usize) -> String {
        self.pick(format!("How many players ({fewest} to {most})"), format!("Combien de joueurs ({fewest} à {most})"))
    }

    pub fn how_many_machines(self, seats: usize) -> String {
        let most = seats - 1;
        self.pick(
            format!("How many of the {seats} players are machines (0 to {most})"),
            format!("Combien des {seats} joueurs sont des machines (0 à {most})"),
        )
    }

    /// Names the opponent of a person who asked for a level.
    pub fn you_meet(self, name: &str, client: &str) -> String {
        self.pick(format!("you play against: {name} ({client})"), format!("vous jouez contre : {name} ({client})"))
    }

    pub fn which_client(self, levels: usize) -> String {
        let own = match levels {
            0 => String::new(),
            _ => self.pick(
                format!("level 1 to {levels} of agon's own player, "),
                format!("niveau 1 à {levels} du joueur d'agon, "),
            ),
        };
        self.pick(
            format!("Who plays for them: {own}a file, or NAME for clients/NAME.so"),
            format!("Qui joue pour elles : {own}un fichier, ou NOM pour clients/NOM.so"),
        )
    }

    pub fn which_seat(self, seats: usize) -> String {
        self.pick(
            format!("Your seat (1 to {seats}; seat 1 starts)"),
            format!("Votre place (1 à {seats} ; la place 1 commence)"),
        )
    }

    /// The values that a question takes, after an answer that is not one.
    pub fn not_an_answer(self, typed: &str, why: &str) -> String {
        self.pick(why.to_owned(), format!("« {typed} » ne convient pas : répondez comme entre crochets ; q arrête"))
    }

    /// The answer to a person who asks for help with a question.
    pub fn how_to_answer(self) -> &'static str {
        self.pick(
            "type an answer; Enter takes the one in brackets, q stops",
            "tapez une réponse ; Entrée prend celle entre crochets, q arrête",
        )
    }

    pub fn not_a_number(self, typed: &str, fewest: usize, most: usize) -> String {
        self.pick(
            format!("\"{typed}\" is not a whole number from {fewest} to {most}"),
            format!("« {typed} » n'est pas un nombre entier de {fewest} à {most}"),
        )
    }
}
