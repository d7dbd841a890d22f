//! Mastermind in words: the guesses that a seat may see, with their replies, and how many codes are still possible.

use super::abi::Try;
use super::codes::{Code, Codes};
use super::consistent::{Order, search};
use super::{Mastermind, notation};
use crate::{Item, Language, Panel, Scene, Seat};
use std::ops::ControlFlow;

/// A count of the possible codes looks at this many beginnings of codes at most.
const BUDGET: u32 = 200_000;
/// The most possible codes that are named.
const NAMED: usize = 3;
/// The most rows that are drawn for guesses to come.
const MOST_ROWS: usize = 12;

/// The state as `viewer` sees it, or all of it for `None`.
pub(super) fn draw(game: &Mastermind, viewer: Option<Seat>, language: Language) -> Scene {
    let shown: Vec<Seat> = game.breakers().filter(|seat| game.sees(viewer, *seat)).collect();
    let mut panels = vec![Panel::new(title(game, language), Vec::new())];
    panels.extend(shown.iter().map(|seat| guesses(game, *seat, viewer, language)));
    if let Some(secret) = game.secret.filter(|_| game.sees_secret(viewer)) {
        let title = language.pick("secret", "secret");
        panels.push(Panel::new(title, vec![code(game, &secret)]).with_items(vec![pegs(game, &secret)]));
    }
    if viewer.is_some() {
        let colon = format!("{} ", language.colon());
        let left = shown.iter().filter(|seat| !game.has_found(**seat)).map(|seat| left(game, *seat, language));
        let left: Vec<String> = left.filter(|lines| !lines.is_empty()).map(|lines| lines.join(&colon)).collect();
        let title = language.pick("codes that fit all replies", "combinaisons qui vont avec toutes les réponses");
        panels.extend((!left.is_empty()).then(|| Panel { is_aid: true, ..Panel::new(title, left) }));
    }
    let last = shown.iter().map(|seat| speak(game, *seat, language));
    let mut spoken: Vec<String> = vec![title(game, language)];
    spoken.extend(last);
    Scene { panels, spoken: spoken.join(language.pick("; ", " ; ")) + ".", has_pegs: true, ..Scene::default() }
}

fn title(game: &Mastermind, language: Language) -> String {
    let (pegs, most, tries) = (game.setting.codes.pegs(), game.setting.codes.values() - 1, game.setting.tries);
    language.pick(
        format!("{pegs} values from 0 to {most}, {tries} tries"),
        format!("{pegs} valeurs de 0 à {most}, {tries} essais"),
    )
}

fn code(game: &Mastermind, code: &Code) -> String {
    notation::code(&code[..game.setting.codes.pegs()])
}

fn pegs(game: &Mastermind, code: &Code) -> Vec<Item> {
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
fn guesses(game: &Mastermind, breaker: Seat, viewer: Option<Seat>, language: Language) -> Panel {
    let history = game.history(breaker);
    let line = |(number, made): (usize, &Try)| {
        format!("{:>3}:  {}   {}", number + 1, code(game, &made.v), reply(made, language))
    };
    let number = |number: usize| Item::Text((number + 1).to_string());
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
    let holes = |at: usize| [number(at)].into_iter().chain(vec![Item::Hole; game.setting.codes.pegs()]).collect();
    items.extend((items.len()..MOST_ROWS.min(game.setting.tries.into())).map(holes));
    if viewer.is_none() && !game.has_found(breaker) {
        let left = left(game, breaker, language);
        items.extend(left.iter().map(|line| vec![Item::text(line)]));
        lines.extend(left);
    }
    let seat = breaker + 1;
    let title = language.pick(format!("seat {seat}"), format!("place {seat}"));
    Panel { seat: Some(breaker), ..Panel::new(title, lines).with_items(items) }
}

/// The number of codes that are still possible by the breaker's knowledge, and the codes themselves if there are few.
/// Nothing if a count would take long.
fn left(game: &Mastermind, breaker: Seat, language: Language) -> Vec<String> {
    let Some((count, few)) = possible(game.setting.codes, game.history(breaker)) else { return Vec::new() };
    let named: Vec<String> = few.iter().filter(|_| count <= NAMED).map(|one| code(game, one)).collect();
    let said = match count {
        1 => language.pick("1 code is possible", "1 combinaison est possible").to_owned(),
        _ => language.pick(format!("{count} codes are possible"), format!("{count} combinaisons sont possibles")),
    };
    [said].into_iter().chain((!named.is_empty()).then(|| named.join(", "))).collect()
}

/// The number of codes that agree with every reply, and the first of them; `None` if a count would take long.
fn possible(codes: Codes, history: &[Try]) -> Option<(usize, Vec<Code>)> {
    let (mut count, mut few) = (0, Vec::new());
    let is_whole = search(codes, history, &Order::lexicographic(), BUDGET, &mut |code| {
        count += 1;
        few.extend((count <= NAMED).then_some(*code));
        ControlFlow::Continue(())
    });
    is_whole.then_some((count, few))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The reply by crossing out values one by one.
    fn plain_reply(secret: &[u8], guess: &[u8]) -> (u8, u8) {
        let (mut exact, mut elsewhere) = (0, 0);
        let (mut secret, mut guess) = (secret.to_vec(), guess.to_vec());
        for at in (0..guess.len()).rev() {
            if secret[at] == guess[at] {
                exact += 1;
                secret.remove(at);
                guess.remove(at);
            }
        }
        for value in guess {
            if let Some(at) = secret.iter().position(|other| *other == value) {
                elsewhere += 1;
                secret.remove(at);
            }
        }
        (exact, elsewhere)
    }

    #[test]
    fn the_possible_codes_are_those_that_a_plain_look_at_all_codes_finds() {
        let mut rng = crate::rng_from(&[8; 32]);
        for (pegs, values) in [(1, 2), (4, 6), (5, 4), (3, 12), (8, 2), (5, 8)] {
            let codes = Codes::new(pegs, values);
            let cut = |code: &Code| code[..codes.pegs()].to_vec();
            let secret = codes.draw(&mut rng);
            let mut history = Vec::new();
            for _ in 0..6 {
                let plain: Vec<Code> = codes
                    .iter()
                    .filter(|code| {
                        let agrees = |made: &Try| plain_reply(&cut(code), &cut(&made.v)) == (made.rr, made.rw);
                        history.iter().all(agrees)
                    })
                    .collect();
                let (count, few) = possible(codes, &history).unwrap();
                assert_eq!((count, few.as_slice()), (plain.len(), &plain[..plain.len().min(NAMED)]));
                let guess = codes.draw(&mut rng);
                history.push(Try::new(&guess, codes.reply(&secret, &guess)));
            }
        }
        assert_eq!(possible(Codes::new(12, 20), &[]), None, "nobody waits for so many");
    }
}
