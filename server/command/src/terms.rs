//! Options of several commands: how a match begins, under which terms it is played, and where it is recorded.

use crate::numbers::jobs_or_none;
use crate::record_location::{Named, named};
use crate::{ClaimedGame, Failure, game_of};
use agon_config::MatchWords;
use agon_games::AnyGame;
use agon_model::SandboxMode;
use clap::Args;

/// How a match begins.
#[derive(Args, Clone, Debug)]
pub struct StartArgs {
    /// An option of the game, such as -o board=donut:9; you may repeat it. agon rules GAME lists the options.
    #[arg(short, long = "option", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// The board, for games that have one: the same as -o board=BOARD.
    #[arg(short, long)]
    board: Option<String>,
    /// The seed of all random choices: the same seed makes the same choices.
    #[arg(short, long)]
    pub seed: Option<u64>,
}

impl StartArgs {
    /// All options, the board among them.
    pub fn options(&self) -> Vec<String> {
        let board = self.board.iter().map(|board| format!("board={board}"));
        self.options.iter().cloned().chain(board).collect()
    }

    /// Whether this option was given, in whichever way.
    pub fn has(&self, key: &str) -> bool {
        self.options().iter().any(|option| option.split_once('=').is_some_and(|(name, _)| name.trim() == key))
    }
}

/// What is played, under which terms, and where it is recorded.
#[derive(Args, Clone, Debug)]
pub struct TermsArgs {
    /// The game; agon rules lists all. Default: the one that the clients play.
    #[arg(short, long)]
    pub game: Option<String>,
    /// How a match begins.
    #[command(flatten)]
    pub start: StartArgs,
    /// The time for each move, such as 100ms. Default: 1s, unless --total or --tc is given.
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// The time for all moves of a match, instead of --time.
    #[arg(long, value_name = "TIME")]
    pub total: Option<String>,
    /// The time in the notation of cutechess: 10+0.1 gives 10 s for all moves, and adds 0.1 s after each move. 40/1:30 is
    /// 90 s for each 40 moves, and st=1 is 1 s for each move. To give one client other times, write NAME:time=TC where
    /// you name the client.
    #[arg(long, value_name = "TC", conflicts_with_all = ["time", "total"])]
    pub tc: Option<String>,
    /// Ends a match when both clients report the same winner for this many moves in a row. A client reports that it wins
    /// by logging an evaluation (`value`) of at least VALUE, default 9000. At most -VALUE reports that it loses. As a
    /// check, agon plays one match in ten to its end.
    #[arg(long, value_name = "MOVES[,VALUE]", value_parser = adjudicate)]
    pub adjudicate: Option<(u32, Option<String>)>,
    /// The most memory that a client may use, such as 1GiB. Default: 512MiB.
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// process (default): a new process for each client and match. reuse: one process for each client. none: clients run inside
    /// agon's own process; use it only for clients that you trust.
    #[arg(long)]
    pub isolation: Option<String>,
    /// auto (default): every layer that this machine has. strict: plays only if this machine has all four layers. off: no
    /// sandbox.
    #[arg(long)]
    pub sandbox: Option<String>,
    /// Leaves out a layer of the sandbox: limits, privileges, landlock or seccomp. You may repeat it.
    #[arg(long, value_name = "LAYER")]
    pub without: Vec<String>,
    /// The folder of the record. Default: agon-out. With postgres://USER:PASSWORD@HOST/DATABASE, or @FILE (a file with
    /// such an address), other machines can play too.
    #[arg(long, value_name = "PLACE", value_parser = named)]
    pub record: Option<Named>,
    /// How many matches run at the same time. Default: as many as the cores allow. Write 0 to let only other machines
    /// play; this needs a record on PostgreSQL (--record or --open).
    #[arg(short, long, value_name = "N", value_parser = jobs_or_none)]
    pub jobs: Option<usize>,
    /// Prints the result as JSON.
    #[arg(long)]
    pub json: bool,
    /// Prints only the result, and no progress.
    #[arg(short, long)]
    pub quiet: bool,
}

impl TermsArgs {
    /// The terms as the words of a ladder between these clients.
    pub fn words(&self, clients: &[String]) -> MatchWords {
        MatchWords {
            clients: clients.to_vec(),
            game: self.game.clone(),
            options: self.start.options(),
            seed: self.start.seed,
            per_move: self.time.clone(),
            total: self.total.clone(),
            tc: self.tc.clone(),
            adjudicate: self.adjudicate.clone(),
            memory: self.memory.clone(),
            isolation: self.isolation.clone(),
            sandbox: self.sandbox.clone(),
            without: self.without.clone(),
            out: self.record.as_ref().and_then(Named::folder),
            ..MatchWords::default()
        }
    }

    /// Names the game that these clients play, if no game is named.
    ///
    /// # Errors
    /// They play several.
    pub fn settle_game(
        &mut self,
        clients: &[String],
        games: &[&dyn AnyGame],
        said: ClaimedGame<'_>,
    ) -> Result<(), Failure> {
        if self.game.is_none() {
            // One who wants no sandbox for matches has not said that a mere look needs none.
            let is_strict = self.sandbox.as_deref() == Some("strict");
            self.game = game_of(clients, if is_strict { SandboxMode::Strict } else { SandboxMode::Auto }, games, said)?;
        }
        Ok(())
    }
}

/// Reads a number of moves, and the value that counts.
fn adjudicate(text: &str) -> Result<(u32, Option<String>), String> {
    let (moves, value) = text.split_once(',').map_or((text, None), |(moves, value)| (moves, Some(value.to_owned())));
    let moves = moves.parse().map_err(|_| "write a number of moves, such as 6, or 6,5 with a value".to_owned())?;
    Ok((moves, value))
}
