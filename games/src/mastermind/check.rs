//! Explains why a move is refused, in English and in French.

use super::abi::Move;
use super::codes::{Codes, Reply};
use super::notation;
use crate::rules::refuse;
use crate::{Illegal, Language, Said};

type Verdict = Result<(), Illegal>;

/// Refuses a move that is not a code. `what` names the code that it should be: the guess, the secret.
pub(super) fn code(codes: Codes, what: Said, mv: Move) -> Verdict {
    let [english, french] = [Language::English, Language::French].map(|language| what.in_language(language));
    let (pegs, most) = (codes.pegs(), codes.values() - 1);
    if mv.n == 0 {
        return refuse(
            "code-asked",
            format!("{english} is asked for, {pegs} values; not a reply"),
            format!("il faut donner {french}, {pegs} valeurs, et non une réponse"),
        );
    }
    if usize::from(mv.n) != pegs {
        let (has, n) = (if mv.n == 1 { "value" } else { "values" }, mv.n);
        let are = if pegs == 1 { "is" } else { "are" };
        let plural = if mv.n > 1 { "s" } else { "" };
        return refuse(
            "wrong-size",
            format!("{english} has {n} {has}, {pegs} {are} asked"),
            format!("{french} a {n} valeur{plural}, il en faut {pegs}"),
        );
    }
    if let Some(place) = mv.v[..pegs].iter().position(|value| usize::from(*value) > most) {
        let (value, place) = (mv.v[place], place + 1);
        return refuse(
            "no-such-value",
            format!("there is no value {value} (place {place}); the values are 0 to {most}"),
            format!("il n'y a pas de valeur {value} (position {place}) ; les valeurs vont de 0 à {most}"),
        );
    }
    let beyond = mv.v[pegs..].iter().any(|value| *value != 0);
    if beyond || mv.rr != 0 || mv.rw != 0 || mv.reserved0 != 0 {
        return unused(format!("v beyond {pegs} values, rr, rw and reserved0"), mv);
    }
    Ok(())
}

/// Refuses a move that is not a reply, or one that `allows` refuses; it follows `before` earlier answers.
pub(super) fn reply(codes: Codes, mv: Move, before: usize, allows: impl Fn(Reply) -> bool) -> Verdict {
    if mv.n != 0 {
        return refuse(
            "reply-asked",
            "a reply such as 2+1 is asked for; not a code".to_owned(),
            "il faut donner une réponse comme 2+1, et non une combinaison".to_owned(),
        );
    }
    if mv.v.iter().any(|value| *value != 0) || mv.reserved0 != 0 {
        return unused("v and reserved0".to_owned(), mv);
    }
    let (pegs, Reply { rr, rw }) = (codes.pegs(), Reply { rr: mv.rr, rw: mv.rw });
    let all = usize::from(rr) + usize::from(rw);
    if all > pegs || (all == pegs && rw == 1) {
        return refuse(
            "impossible-reply",
            format!("no two codes of {pegs} values give {rr}+{rw}"),
            format!("deux combinaisons de {pegs} valeurs ne donnent jamais {rr}+{rw}"),
        );
    }
    if !allows(Reply { rr, rw }) {
        return refuse(
            "inconsistent-reply",
            format!("no code agrees with {rr}+{rw} and the {before} answers before it"),
            format!("aucune combinaison ne s'accorde avec {rr}+{rw} et les {before} réponses précédentes"),
        );
    }
    Ok(())
}

fn unused(fields: String, mv: Move) -> Verdict {
    let text = notation::fields(mv);
    refuse(
        "unused-not-zero",
        format!("{fields} must be 0; the move is {text}"),
        format!("les champs inutilisés doivent être 0 ; le coup est {text}"),
    )
}
