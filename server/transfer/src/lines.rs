//! Turns the record into the lines of an export, without the redacted parts.

use super::ExportSource;
use super::line::{
    ClientLine, ExcuseLine, ExportSeat, LadderLine, MatchLine, SCHEMA, StageLine, SuspensionLine, Tail, VoidLine,
};
use agon_games::{Opening, Options, PreparedSetting};
use agon_model::{
    EntrantId, Excuse, Match, MoveLine, NamedValues, RulesVersion, SeatResult, Stage, Suspension, names_files, opening,
    replay_from,
};
use agon_record::{Member, RecordError, StoredBlock, StoredStage, StoredSuspension};
use std::collections::BTreeMap;

/// Makes the lines of one ladder.
pub struct Lines<'a> {
    source: &'a ExportSource<'a>,
    clients: Vec<ClientLine>,
    /// Their numbers in the record.
    ids: Vec<EntrantId>,
    /// The settings in the form of the rules, worked out once; `None` if these rules cannot read them.
    settings: Vec<Option<Box<dyn PreparedSetting>>>,
    has_ended: bool,
}

impl<'a> Lines<'a> {
    pub fn new(source: &'a ExportSource<'a>) -> Result<Lines<'a>, RecordError> {
        let (members, ladder) = (source.redacted.members(), source.redacted.ladder());
        let prepare = |options: Options| source.game?.prepare(&options, ladder.seats).ok();
        Ok(Lines {
            source,
            clients: members.iter().map(|member| client(source, member)).collect(),
            ids: members.iter().map(|member| member.id).collect(),
            settings: ladder.all_options().map(prepare).collect(),
            has_ended: source.redacted.has_ended()?,
        })
    }

    pub fn clients(&self) -> &[ClientLine] {
        &self.clients
    }

    pub fn ladder(&self) -> LadderLine {
        let (ladder, redaction) = (self.source.redacted.ladder(), self.source.redaction);
        LadderLine {
            schema: SCHEMA.to_owned(),
            agon: env!("CARGO_PKG_VERSION").to_owned(),
            ladder: redaction.text(&ladder.name),
            game: ladder.game.clone(),
            seats: ladder.seats,
            seed: ladder.seed,
            seed_drawn: ladder.seed_drawn,
            generator: "chacha8".to_owned(),
            terms: redaction.terms(&ladder.terms),
            settings: (ladder.settings.iter())
                .map(|(name, given)| (redaction.text(name), self.options(given)))
                .collect(),
            resolved: (0..ladder.settings.len())
                .map(|setting| Some(NamedValues(self.known(setting)?.resolved())))
                .collect(),
            anonymous: redaction.is_anonymous(),
            ended: self.has_ended,
        }
    }

    fn options(&self, given: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        given.iter().map(|(key, value)| (key.clone(), self.source.redaction.text(value))).collect()
    }

    pub fn of_match(&mut self, block: &StoredBlock, played: &Match) -> MatchLine {
        let (ladder, redaction) = (self.source.redacted.ladder(), self.source.redaction);
        let none = (String::new(), BTreeMap::new());
        let (name, given) = ladder.settings.get(block.setting).unwrap_or(&none);
        MatchLine {
            id: played.id.clone(),
            of: block.matches.len(),
            ladder: redaction.text(&ladder.name),
            game: ladder.terms.rules.as_ref().map_or(ladder.game.clone(), RulesVersion::to_string),
            setting: block.setting,
            name: redaction.text(name),
            options: self.options(given),
            seed: ladder.seed,
            opening: block.opening,
            ending: played.ending.clone(),
            start: played.start,
            drawn: self.drawn(block, played),
            turns: played.plies(),
            started: played.started,
            us: played.wall_us,
            seats: played.seats.iter().map(|seat| self.seat(seat)).collect(),
            moves: self.moves(block, played),
            outputs: played.outputs.clone(),
        }
    }

    /// A setting that was played by exactly these rules.
    fn known(&self, setting: usize) -> Option<&dyn PreparedSetting> {
        let is_known = self.source.game.is_some_and(|game| self.source.redacted.ladder().is_by(game.facts()));
        self.settings.get(setting)?.as_deref().filter(|_| is_known)
    }

    /// The opening's addition, if the match began so by these rules.
    fn drawn(&self, block: &StoredBlock, played: &Match) -> Option<NamedValues> {
        let (setting, opening) = (self.known(block.setting)?, self.opening(block));
        let is_known = played.start == setting.start(&opening).hash();
        is_known.then(|| NamedValues(setting.drawn(&opening)))
    }

    fn opening(&self, block: &StoredBlock) -> Opening {
        opening(self.source.redacted.ladder().seed, block.opening)
    }

    fn seat(&self, result: &SeatResult) -> ExportSeat {
        let (redaction, client) = (self.source.redaction, self.clients.get(result.entrant));
        let label = client.map_or("?", |client| &client.client);
        ExportSeat {
            client: label.to_owned(),
            sha256: client.and_then(|client| client.sha256.clone()),
            options: client.map(|client| client.options.clone()).unwrap_or_default(),
            seed: result.seed,
            told_name: if redaction.is_anonymous() { label.to_owned() } else { result.told_name.clone() },
            score: result.score,
            rank: result.rank,
            fault: result.fault.clone(),
            notices: result.notices.clone(),
            layers: result.layers.clone(),
            usage: result.usage.clone(),
        }
    }

    fn moves(&self, block: &StoredBlock, played: &Match) -> Vec<MoveLine> {
        let mut texts = Vec::with_capacity(played.steps.len());
        if let Some(Some(setting)) = self.settings.get(block.setting) {
            let start = setting.start(&self.opening(block));
            // Moves that these rules cannot replay have no text.
            let _ = replay_from(start, &played.steps, &mut |state, steps| {
                texts.extend(steps.iter().map(|step| state.write(&step.mv)));
            });
        }
        texts.resize(played.steps.len(), String::new());
        played.steps.iter().zip(texts).map(|(step, text)| MoveLine::new(step, text)).collect()
    }

    /// The part after the matches.
    pub fn tail(&self) -> Result<Tail, RecordError> {
        let redacted = self.source.redacted;
        let void = |(block, cause, tries): (String, String, u32)| VoidLine { block, cause, tries };
        Ok(Tail {
            stages: redacted.stages()?.into_iter().map(|stage| self.stage(stage)).collect(),
            suspensions: redacted.suspensions()?.into_iter().map(|stored| self.suspension(stored)).collect(),
            excuses: redacted.members().iter().flat_map(|member| self.excuses(member)).collect(),
            voids: redacted.voids()?.into_iter().map(void).collect(),
        })
    }

    /// The label of a client by its number.
    fn label(&self, id: EntrantId) -> String {
        let index = self.ids.iter().position(|known| *known == id);
        index.map_or_else(|| "?".to_owned(), |index| self.clients[index].client.clone())
    }

    fn stage(&self, (stage, scores): StoredStage) -> StageLine {
        let labels = |ids: &[EntrantId]| ids.iter().map(|id| self.label(*id)).collect::<Vec<_>>();
        let Stage { kind, round, opening, openings, order, meetings } = stage;
        let meetings = meetings.iter().map(|meeting| labels(meeting)).collect();
        StageLine { kind, round, opening, openings, order: labels(&order), meetings, scores }
    }

    fn excuses(&self, member: &Member) -> Vec<ExcuseLine> {
        let client = self.label(member.id);
        let excuse = |(&cause, &times): (&Excuse, &u32)| ExcuseLine { client: client.clone(), cause, times };
        member.voids.iter().map(excuse).collect()
    }

    fn suspension(&self, stored: StoredSuspension) -> SuspensionLine {
        let StoredSuspension { entrant, suspension, at, let_back, counted } = stored;
        let Suspension { kind, by_hand, why, since, schedule } = suspension;
        let client = self.label(entrant);
        SuspensionLine { client, kind, by_hand, why, since, schedule, at, let_back, counted }
    }
}

/// A client in its redacted form; an anonymous one has no file, but a line needs the name of one.
fn client(source: &ExportSource<'_>, member: &Member) -> ClientLine {
    let (redaction, entrant) = (source.redaction, &member.entrant);
    let nameless = || format!("{}.so", entrant.label);
    ClientLine {
        client: redaction.text(&entrant.label),
        team: redaction.text(&member.team),
        version: member.version,
        present: member.present,
        file: if redaction.is_anonymous() { nameless() } else { redaction.text(&entrant.file) },
        sha256: Some(entrant.hash.clone()).filter(|hash| names_files(hash)),
        options: entrant.options.iter().map(|(key, value)| (key.clone(), redaction.text(value))).collect(),
        refused: entrant.refused.clone(),
    }
}
