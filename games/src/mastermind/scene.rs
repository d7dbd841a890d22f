//! Mastermind in words: the guesses that a seat may see, with their replies, and how many codes are still possible.

use super::abi::Try;
use super::consistent::agrees;
use super::{Mastermind, notation};
use crate::{Item, Language, Panel, Scene, Seat};

/// Possible codes are counted only if there are at most this many codes.
const COUNTED: u64 = 100_000;

/// The state as `viewer` sees it, or all of it for `None`.
pub(super) fn draw(game: &Mastermind, viewer: Option<Seat>, language: Language) -> Scene {
    let shown: Vec<Seat> = game.breakers().filter(|seat| game.sees(viewer, *seat)).collect();
    let mut panels: Vec<Panel> = shown.iter().map(|seat| guesses(game, *seat, language)).collect();
    if let Some(secret) = game.secret.filter(|_| game.sees_secret(viewer)) {
        let title = language.pick("secret", "secret");
        panels.push(Panel::new(title, vec![code(game, &secret)]).with_items(vec![pegs(game, &secret)]));
    }
    let last = shown.iter().map(|seat| speak(game, *seat, language));
    let mut spoken: Vec<String> = vec![title(game, language)];
    spoken.extend(last);
    Scene { panels, spoken: spoken.join("; ") + ".", has_pegs: true, ..Scene::default() }
}

fn title(game: &Mastermind, language: Language) -> String {
    let (pegs, most, tries) = (game.setting.codes.pegs(), game.setting.codes.values() - 1, game.setting.tries);
    language.pick(
        format!("{pegs} values from 0 to {most}, {tries} tries"),
        format!("{pegs} valeurs de 0 à {most}, {tries} essais"),
    )
}

fn code(game: &Mastermind, code: &super::Code) -> String {
    notation::code(&code[..game.setting.codes.pegs()])
}

fn pegs(game: &Mastermind, code: &super::Code) -> Vec<Item> {
    code[..game.setting.codes.pegs()].iter().map(|value| Item::Peg((*value).into())).collect()
}

/// Writes a reply: `2 exact, 1 elsewhere`.
fn reply(made: &Try, language: Language) -> String {
    let (rr, rw) = (made.rr, made.rw);
    let plural = |count: u8| if count > 1 { "s" } else { "" };
    language.pick(
        format!("{rr} exact, {rw} elsewhere"),
        format!("{rr} bien placée{}, {rw} mal placée{}", plural(rr), plural(rw)),
    )
}

/// The guesses of a breaker, the replies, and the remaining codes.
fn guesses(game: &Mastermind, breaker: Seat, language: Language) -> Panel {
    let history = game.history(breaker);
    let line = |(number, made): (usize, &Try)| {
        format!("{:>3}:  {}   {}", number + 1, code(game, &made.v), reply(made, language))
    };
    let number = |number: usize| Item::text(format!("{:>3}", number + 1));
    let drawn = |(at, made): (usize, &Try)| {
        let reply = Item::Reply(made.rr.into(), made.rw.into());
        [number(at)].into_iter().chain(pegs(game, &made.v)).chain([reply]).collect()
    };
    let mut items: Vec<Vec<Item>> = history.iter().enumerate().map(drawn).collect();
    let mut lines: Vec<String> = history.iter().enumerate().map(line).collect();
    if let Some(guess) = game.waiting {
        items.push([number(history.len())].into_iter().chain(pegs(game, &guess)).chain([Item::text("?")]).collect());
        lines.push(format!("{:>3}:  {}   ?", history.len() + 1, code(game, &guess)));
    }
    if let Some(left) = left(game, breaker, language).filter(|_| !game.has_found(breaker)) {
        items.push(vec![Item::text(&left)]);
        lines.push(left);
    }
    let seat = breaker + 1;
    let heading = language.pick(format!("seat {seat}: "), format!("place {seat} : ")) + &title(game, language);
    Panel::new(heading, lines).with_items(items)
}

/// The number of codes that are still possible by the breaker's knowledge.
fn left(game: &Mastermind, breaker: Seat, language: Language) -> Option<String> {
    let (codes, history) = (game.setting.codes, game.history(breaker));
    if codes.count() > COUNTED {
        return None;
    }
    let count = codes.iter().filter(|code| agrees(codes, history, code)).count();
    Some(match count {
        1 => language.pick("1 code is possible", "1 combinaison est possible").to_owned(),
        _ => language.pick(format!("{count} codes are possible"), format!("{count} combinaisons sont possibles")),
    })
}

/// The state of a breaker in a few words.
fn speak(game: &Mastermind, breaker: Seat, language: Language) -> String {
    let seat = breaker + 1;
    let Some(last) = game.history(breaker).last() else {
        return language
            .pick(format!("seat {seat} has not guessed yet"), format!("la place {seat} n'a encore rien proposé"));
    };
    let (guess, reply) = (code(game, &last.v), reply(last, language));
    language
        .pick(format!("seat {seat} guessed {guess}: {reply}"), format!("la place {seat} a proposé {guess} : {reply}"))
}
