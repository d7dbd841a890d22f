//! The texts for people at the board, in their language. Moves are written alike in all languages.

mod questions;

use agon_games::{Facts, Illegal, Language, Seat};
use agon_model::FaultKind;
use std::time::Duration;

/// The sentences of one language.
#[derive(Clone, Copy, Debug)]
pub struct PlayWords(pub Language);

impl PlayWords {
    fn pick<T>(self, english: T, french: T) -> T {
        self.0.pick(english, french)
    }

    /// The rules in two lines, a legal move, and what else can be typed.
    pub fn help(self, facts: &Facts, example: Option<&str>) -> String {
        let undo = if facts.hidden {
            ""
        } else {
            self.pick(" u takes your last move back;", " u reprend votre dernier coup ;")
        };
        let rules = facts.summary.in_language(self.0).to_owned() + &self.legal_here(example);
        self.pick(
            format!(
                "{rules}\nA move may be typed part by part; m lists the legal moves, m TEXT those that begin so;{undo}\n\
                 h asks a client what it would play; keep FILE keeps the match; resign gives up;\n\
                 Enter shows the board; ? this help; q quits."
            ),
            format!(
                "{rules}\nUn coup peut être tapé par morceaux ; m liste les coups permis, m TEXTE ceux qui commencent ainsi ;{undo}\n\
                 h demande à un client ce qu'il jouerait ; keep FICHIER garde la partie ; resign abandonne ;\n\
                 Entrée montre le plateau ; ? cette aide ; q quitte."
            ),
        )
    }

    /// The same below the name of the game, which is English.
    pub fn introduction(self, facts: &Facts) -> String {
        let help = self.help(facts, None);
        self.pick(format!("{}: {help}", facts.title), help.clone())
    }

    /// The line that asks a person for input.
    pub fn prompt(self, seat: Seat, name: Option<&str>) -> String {
        let whose = name.map_or_else(|| format!("{} {}", self.pick("seat", "place"), seat + 1), str::to_owned);
        format!("{whose}> ")
    }

    pub fn moved(self, ply: u32, seat: Seat, label: &str, mv: &str) -> String {
        let (ply, seat) = (ply + 1, seat + 1);
        self.pick(
            format!("turn {ply}: seat {seat} ({label}) {mv}"),
            format!("tour {ply} : place {seat} ({label}) {mv}"),
        )
    }

    pub fn plays_differently(self) -> &'static str {
        self.pick(
            "a client plays differently this time; the match goes on from here",
            "un client joue autrement cette fois ; la partie continue d'ici",
        )
    }

    pub fn only_you(self, seat: Seat) -> String {
        let seat = seat + 1;
        self.pick(
            format!("Only the person on seat {seat} looks now. Press Enter."),
            format!("Seule la personne de la place {seat} regarde maintenant. Appuyez sur Entrée."),
        )
    }

    pub fn legal(self, moves: &[String]) -> String {
        self.pick("legal moves: ", "coups permis : ").to_owned() + &moves.join(", ")
    }

    pub fn at_least(self, number: usize) -> String {
        self.pick(format!("at least {number} legal moves"), format!("au moins {number} coups permis"))
    }

    pub fn many(self, number: usize, example: &str) -> String {
        self.pick(
            format!("{number} legal moves, such as {example}"),
            format!("{number} coups permis, par exemple {example}"),
        )
    }

    /// The answer to `?` in a browser.
    pub fn browser_help(self, facts: &Facts, example: Option<&str>) -> String {
        let rules = facts.summary.in_language(self.0).replace('\n', " ");
        let keys = self.pick("Below the board: rules and keys.", "Sous le plateau : règles et touches.");
        format!("{rules}{} {keys}", self.legal_here(example))
    }

    fn legal_here(self, example: Option<&str>) -> String {
        example
            .map_or(String::new(), |text| self.pick(format!(" Legal here: {text}."), format!(" Permis ici : {text}.")))
    }

    pub fn no_move(self, typed: &str, example: Option<&str>) -> String {
        let legal = example.map_or(String::new(), |text| {
            self.pick(format!("; a legal one is {text}"), format!(" ; un coup permis est {text}"))
        });
        self.pick(
            format!("\"{typed}\" is not a move{legal} (? for help)"),
            format!("« {typed} » n'est pas un coup{legal} (? pour l'aide)"),
        )
    }

    /// A message without the key for help, which a browser does not have.
    pub fn in_browser(self, said: String) -> String {
        let key = self.pick(" (? for help)", " (? pour l'aide)");
        said.strip_suffix(key).map_or_else(|| said.clone(), str::to_owned)
    }

    /// The word of the rule is English, and for the authors of clients.
    pub fn not_allowed(self, illegal: &Illegal) -> String {
        self.pick(
            format!("not allowed: {} ({})", illegal.why, illegal.rule),
            format!("coup refusé : {}", illegal.french),
        )
    }

    pub fn begins(self, begun: &str, moves: &str) -> String {
        self.pick(
            format!("{begun}… what follows? {moves}; Enter begins anew"),
            format!("{begun}… et ensuite ? {moves} ; Entrée recommence"),
        )
    }

    pub fn none_begins(self, prefix: &str) -> String {
        self.pick(
            format!("no legal move begins with \"{prefix}\""),
            format!("aucun coup permis ne commence par « {prefix} »"),
        )
    }

    pub fn and_more(self) -> &'static str {
        self.pick(
            "; and more: m TEXT lists those that begin so",
            " ; et d'autres : m TEXTE liste ceux qui commencent ainsi",
        )
    }

    pub fn seen(self) -> &'static str {
        self.pick(
            "nothing can be taken back in this game: what was seen cannot be unseen",
            "rien ne se reprend dans ce jeu : ce qui a été vu l'a été",
        )
    }

    pub fn nothing_to_take_back(self) -> &'static str {
        self.pick("there is nothing to take back yet", "il n'y a encore rien à reprendre")
    }

    pub fn taken_back(self) -> &'static str {
        self.pick("taken back; the moves before are played again", "repris ; les coups d'avant sont rejoués")
    }

    pub fn stopped(self) -> &'static str {
        self.pick("\nstopped; nothing is recorded", "\narrêté ; rien n'est enregistré")
    }

    /// The result for a single person: whether among the first, and whether there are several.
    pub fn your_outcome(self, is_first: bool, is_shared: bool) -> &'static str {
        match (is_first, is_shared) {
            (true, false) => self.pick("you have won", "vous avez gagné"),
            (true, true) => self.pick("you share the first place", "vous partagez la première place"),
            (false, _) => self.pick("you have lost", "vous avez perdu"),
        }
    }

    /// The result for several people.
    pub fn outcome(self, first: &[String]) -> String {
        let names = first.join(self.pick(" and ", " et "));
        match first {
            [_] => self.pick(format!("{names} has won"), format!("{names} a gagné")),
            _ => self.pick(format!("{names} share the first place"), format!("{names} partagent la première place")),
        }
    }

    pub fn will_be_kept(self, file: &str) -> String {
        self.pick(
            format!("when it is over, the match will be in {file}, for a browser"),
            format!("à la fin, la partie sera dans {file}, pour un navigateur"),
        )
    }

    pub fn is_taken(self, file: &str) -> String {
        self.pick(
            format!("{file} is there already; choose another file"),
            format!("{file} existe déjà ; choisissez un autre fichier"),
        )
    }

    pub fn result(self, seat: Seat, label: &str, rank: u32, score: i64) -> String {
        let seat = seat + 1;
        self.pick(
            format!("seat {seat} ({label}): rank {rank}, score {score}"),
            format!("place {seat} ({label}) : rang {rank}, score {score}"),
        )
    }

    pub fn void(self, cause: &str) -> String {
        self.pick(format!("it does not count: {cause}"), format!("elle ne compte pas : {cause}"))
    }

    pub fn not_recorded(self) -> &'static str {
        self.pick("nothing is recorded", "rien n'est enregistré")
    }

    pub fn open_link(self, seats: &[Seat], link: &str) -> String {
        if seats.is_empty() {
            return self.pick(
                format!("to watch: open {link} in a browser"),
                format!("pour regarder : ouvrez {link} dans un navigateur"),
            );
        }
        let seats: Vec<String> = seats.iter().map(|seat| (seat + 1).to_string()).collect();
        let (seats, is_one) = (seats.join(", "), seats.len() == 1);
        self.pick(
            format!("{} {seats}: open {link} in a browser", if is_one { "seat" } else { "seats" }),
            format!("{} {seats} : ouvrez {link} dans un navigateur", if is_one { "place" } else { "places" }),
        )
    }

    pub fn whoever_has_it(self) -> &'static str {
        self.pick(
            "anyone with a seat's link sees what that seat may see, and can move for it; Ctrl-C ends it",
            "qui a un lien voit ce que ses places peuvent voir, et joue pour elles ; Ctrl-C termine",
        )
    }

    pub fn person(self) -> &'static str {
        self.pick("a person", "une personne")
    }

    /// The name of a person who gave none.
    pub fn whoever_sat(self, seat: Seat) -> String {
        let seat = seat + 1;
        self.pick(format!("the person on seat {seat}"), format!("la personne de la place {seat}"))
    }

    pub fn you(self) -> &'static str {
        self.pick("you", "vous")
    }

    pub fn has_changed(self) -> &'static str {
        self.pick("the position has changed meanwhile; look again", "la position a changé entre-temps ; regardez")
    }

    pub fn not_your_turn(self) -> &'static str {
        self.pick("it is not your turn", "ce n'est pas à vous de jouer")
    }

    pub fn others_must_agree(self) -> &'static str {
        self.pick(
            "the move is taken back when the others agree",
            "le coup sera repris quand les autres seront d'accord",
        )
    }

    pub fn wants_it_back(self) -> &'static str {
        self.pick(
            "a player would take the last move back; do you agree?",
            "un joueur voudrait reprendre le dernier coup ; d'accord ?",
        )
    }

    pub fn no_adviser(self) -> &'static str {
        self.pick(
            "there is no client to ask; begin with --hint CLIENT",
            "il n'y a pas de client à consulter ; commencez avec --hint CLIENT",
        )
    }

    pub fn is_asked(self, label: &str) -> String {
        self.pick(format!("{label} is asked…"), format!("{label} réfléchit…"))
    }

    pub fn advice(self, label: &str, advice: Result<String, String>) -> String {
        match advice {
            Ok(mv) => self.pick(format!("{label} would play {mv}"), format!("{label} jouerait {mv}")),
            Err(why) => {
                let why = FaultKind::named(&why).map_or(why, |kind| self.fault(kind));
                self.pick(format!("{label} has no advice: {why}"), format!("{label} ne dit rien : {why}"))
            }
        }
    }

    /// A client's fault, for people who may not read the client's words: its name and its meaning.
    pub fn fault(self, kind: FaultKind) -> String {
        use FaultKind::*;
        let (english, french) = match kind {
            IllegalMove => ("its move breaks a rule", "son coup enfreint une règle"),
            CpuTime => ("it took more processor time than it may", "il a pris trop de temps de processeur"),
            WallTime => ("it took more time than it may", "il a pris trop de temps"),
            Stalled => ("it did not answer", "il n'a pas répondu"),
            Crash => ("it broke down", "il s'est arrêté sur une erreur"),
            EarlyExit => ("it ended itself", "il s'est terminé lui-même"),
            ForbiddenCall => {
                ("it wanted something of the system that is forbidden", "il a demandé au système une chose interdite")
            }
            OutOfMemory => ("it took more memory than it may", "il a pris trop de mémoire"),
            TooManyThreads => ("it began more threads than it may", "il a lancé trop de fils d'exécution"),
            Protocol => ("what it answered is not a move", "sa réponse n'est pas un coup"),
            Declined => ("it does not play under these terms", "il ne joue pas dans ces conditions"),
            LoadFailure => ("it could not be opened", "il n'a pas pu être ouvert"),
            OutOfTurn => ("it computed while others were to move", "il a calculé pendant le tour des autres"),
        };
        let name = kind.name();
        self.pick(format!("{name}: {english}"), format!("{name} : {french}"))
    }

    /// The question to a person who has begun a move, by its last sign: `-` leads on, `/` is a shot.
    pub fn begun(self, begun: &str) -> String {
        match begun.split_once('-') {
            Some((from, "")) => self.pick(format!("{from}: where to?"), format!("{from} : vers où ?")),
            Some((from, to)) if to.ends_with('/') => {
                let to = to.trim_end_matches('/');
                self.pick(format!("{from} to {to}: shoot where?"), format!("{from} vers {to} : tirer où ?"))
            }
            _ => self.pick(format!("{begun}… what follows?"), format!("{begun}… et ensuite ?")),
        }
    }

    pub fn saved(self, file: &str) -> String {
        self.pick(format!("the replay is in {file}"), format!("la partie est dans {file}"))
    }

    /// `of_one` says whether a team asks, and how many boards the asker may have.
    pub fn no_board_is_free(self, most: usize, of_one: (bool, usize), idle: Duration) -> String {
        let minutes = idle.as_secs() / 60;
        let of_one = match of_one {
            (true, of_team) => self.pick(format!(", and {of_team} for a team"), format!(", et {of_team} par équipe")),
            (false, of_address) if of_address < most => {
                self.pick(format!(", and {of_address} for an address"), format!(", et {of_address} par adresse"))
            }
            _ => String::new(),
        };
        self.pick(
            format!(
                "no board is free: there are {most} in all{of_one}; end a match of yours, or come back later: one at \
                 which nobody does anything for {minutes} minutes gives way to you"
            ),
            format!(
                "aucun plateau n'est libre : il y en a {most}{of_one} ; terminez une de vos parties, ou revenez plus \
                 tard : celui où personne ne fait rien pendant {minutes} minutes vous cède sa place"
            ),
        )
    }

    pub fn of_this_machine(self) -> &'static str {
        self.pick(
            "for a reason of this machine; the operator of agon sees why",
            "pour une raison de cette machine ; l'organisateur voit laquelle",
        )
    }
}
