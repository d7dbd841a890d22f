//! Laws of what a game says about itself: names, header, sizes, options.

use super::walk::{Verdict, hold};
use agon_games::{AnyGame, Language, Options};

/// Name, title, seats and tools are as documented.
pub fn names_are_well_formed(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    let proper = |name: &str, also: char| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == also)
    };
    hold(proper(facts.name, '_'), || format!("{:?} is not a name", facts.name))?;
    hold(!facts.title.is_empty() && facts.rules_version > 0, || format!("{}: title or version", facts.name))?;
    let (fewest, most) = facts.seats;
    hold((1..=most).contains(&fewest) && most <= 10, || format!("{}: {fewest} to {most} seats", facts.name))?;
    hold(facts.mv.size <= 16, || format!("{}: a move of {} bytes", facts.name, facts.mv.size))?;
    for tool in facts.tools {
        hold(proper(tool.name, '-') && !tool.about.is_empty(), || format!("{}: tool {:?}", facts.name, tool.name))?;
    }
    for language in [Language::English, Language::French] {
        let lines = facts.summary.in_language(language).lines().count();
        hold(lines == 2, || format!("{}: the summary has {lines} lines in {language:?}, 2 asked", facts.name))?;
        let is_written =
            !["To write", "À écrire"].iter().any(|mark| facts.summary.in_language(language).contains(mark));
        hold(is_written, || format!("{}: the summary is not written yet in {language:?}", facts.name))?;
    }
    for export in facts.exports {
        let well = proper(export.name, '-') && !export.about.is_empty() && export.name != "csv";
        hold(well, || format!("{}: export {:?}", facts.name, export.name))?;
    }
    for table in facts.tables {
        hold(proper(table.name, '-') && !table.about.is_empty(), || format!("{}: table {:?}", facts.name, table.name))?;
    }
    for study in facts.studies {
        let grows = facts.options.iter().any(|option| option.key == study.grows);
        let well = proper(study.name, '-') && !study.about.is_empty() && grows && study.values.0 <= study.values.1;
        hold(well, || format!("{}: study {:?}", facts.name, study.name))?;
    }
    for (index, option) in facts.options.iter().enumerate() {
        hold(!option.help.is_empty(), || format!("{}: option {} has no help", facts.name, option.key))?;
        let twice = facts.options[..index].iter().any(|other| other.key == option.key);
        hold(!twice, || format!("{}: option {} twice", facts.name, option.key))?;
    }
    Ok(())
}

/// The header declares each struct, and its table names each field of setup, turn and move, in order.
pub fn the_header_names_every_field(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    let text: String = facts.header.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect();
    hold(text.contains(&format!("#defineAGON_FIELDS_{}(", facts.name)), || format!("{}: no field table", facts.name))?;
    for (suffix, shape) in [("setup", facts.setup), ("turn", facts.turn), ("move", facts.mv)] {
        let name = format!("{}_{suffix}", facts.name);
        hold(shape.name == name && text.contains(&format!("}}{name};")), || {
            format!("{}: no struct {name}", facts.name)
        })?;
        let mut end = 0;
        for field in shape.fields {
            let short = field.name.rsplit('.').next().unwrap_or_default();
            let entry = format!("({name},{short})");
            let found = text.matches(&entry).count();
            hold(found == 1, || format!("{entry} stands {found} times in the field table"))?;
            hold(field.offset == end, || format!("a gap before {}", field.name))?;
            end += field.size;
        }
        hold(end == shape.size, || format!("a gap at the end of {name}"))?;
    }
    let include = format!("#include \"{}.h\"", facts.name);
    hold(facts.kit.is_none_or(|kit| kit.contains(&include)), || format!("{}: the kit lacks {include}", facts.name))
}

/// Every number of seats in range works with the default options, and every wrong option or number is refused.
pub fn options_are_checked(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    let (fewest, most) = facts.seats;
    for seats in fewest..=most {
        let setting =
            game.prepare(&Options::default(), seats).map_err(|bad| format!("{} {seats}: {bad}", facts.name))?;
        hold(setting.seats() == seats, || format!("{}: {} seats instead of {seats}", facts.name, setting.seats()))?;
    }
    for seats in [0, fewest - 1, most + 1, usize::MAX] {
        hold(game.prepare(&Options::default(), seats).is_err(), || format!("{}: {seats} seats", facts.name))?;
    }
    hold(facts.small_options().len() == facts.small.len(), || format!("{}: small options", facts.name))?;
    for key in facts.options.iter().map(|option| option.key).chain(["no such option"]) {
        let mut options = Options::default();
        options.set(key, "\u{1F3B2} no such value");
        let bad =
            game.prepare(&options, fewest).err().ok_or_else(|| format!("{}: {key} takes anything", facts.name))?;
        hold(bad.key == key && !bad.why.is_empty(), || format!("{}: {key} is wrong, but told is {bad}", facts.name))?;
    }
    Ok(())
}
