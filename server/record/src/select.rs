//! The frequent questions to large records. Each is answered in the order of an index, without a scan or a sort: the
//! test at the end asks SQLite for its plan. Only the longest matches are sorted.

/// Results of the blocks in some rows of a ladder, in stored order, so that every step leads to a neighbour.
pub const RESULTS: &str =
    "SELECT match.row, block.row, block.setting, block.opening, match.id, match.start, match.moves_hash, seat.entrant,
    seat.score, seat.rank, seat.fault, seat.notices FROM block CROSS JOIN match ON match.block = block.row
    CROSS JOIN seat ON seat.match = match.row
    WHERE block.ladder = ?1 AND block.row > ?2 AND block.row <= ?3 ORDER BY block.row, match.row, seat.seat";

/// The packs of a ladder.
pub const PACKS: &str = "SELECT results FROM pack WHERE ladder = ?1 ORDER BY last";

/// The row of the last block of a ladder that is in a pack.
pub const PACKED: &str = "SELECT coalesce(max(last), 0) FROM pack WHERE ladder = ?1";

/// The row of a block of a ladder, this number of blocks after another.
pub const FULL: &str = "SELECT row FROM block WHERE ladder = ?1 AND row > ?2 ORDER BY row LIMIT 1 OFFSET ?3";

/// The row of the newest block of all ladders.
pub const NEWEST: &str = "SELECT coalesce(max(row), 0) FROM block";

/// The number of blocks of a ladder after this one.
pub const LEFT: &str = "SELECT count(*) FROM block WHERE ladder = ?1 AND row > ?2";

/// Blocks of a ladder with the rows of their matches.
pub const BLOCKS: &str = "SELECT block.row, block.id, block.setting, block.opening, match.row
    FROM block CROSS JOIN match ON match.block = block.row WHERE block.ladder = ?1 ORDER BY block.row, match.row";

/// Matches whose block's id begins with `?1`, and whose own id begins with `?2`. Ids are hexadecimal, all before the
/// tilde.
pub const FOUND: &str = "SELECT match.id, match.row FROM block CROSS JOIN match ON match.block = block.row
    WHERE block.id >= ?1 AND block.id < ?1 || '~' AND substr(match.id, 1, length(?2)) = ?2
    ORDER BY block.id, match.id, match.row";

/// The match of a ladder with this id, and its block.
pub const MATCH_OF: &str = "SELECT match.row, block.row FROM block CROSS JOIN match ON match.block = block.row
    WHERE block.id = ?2 AND block.ladder = ?1 AND match.id = ?3";

/// The newest match of a ladder.
pub const LAST: &str = "SELECT match.id FROM block CROSS JOIN match ON match.block = block.row WHERE block.ladder = ?1
    ORDER BY block.row DESC, match.row DESC LIMIT 1";

/// Matches of a ladder from one end on, with conditions in this order: a label with a fault, lost by a label, a label
/// at the table, settings of a list such as `,0,2,`, more turns than a number, an ending. Each applies only where it is
/// asked for; `?12` is the oldest block to search, for the newest matches.
macro_rules! listed {
    ($end:literal, $order:literal) => {
        concat!(
            "SELECT match.row, match.id, block.setting, match.ending, match.plies, match.started
            FROM block CROSS JOIN match ON match.block = block.row WHERE block.ladder = ?1 AND EXISTS
            (SELECT 1 FROM seat JOIN entrant ON seat.entrant = entrant.id WHERE seat.match = match.row
             AND (?2 IS NULL OR entrant.label = ?2)
             AND (?3 IS NULL OR (seat.fault IS NOT NULL AND (?3 = '' OR seat.fault = ?3))))
            AND (?5 IS NULL OR EXISTS (SELECT 1 FROM seat JOIN entrant ON seat.entrant = entrant.id
             WHERE seat.match = match.row AND entrant.label = ?5 AND seat.rank > 1))
            AND (?6 IS NULL OR EXISTS (SELECT 1 FROM seat JOIN entrant ON seat.entrant = entrant.id
             WHERE seat.match = match.row AND entrant.label = ?6))
            AND (?7 IS NULL OR instr(?7, ',' || block.setting || ','))
            AND (?8 IS NULL OR match.plies > ?8) AND (?11 IS NULL OR match.ending = ?11) AND ",
            $end,
            " ORDER BY ",
            $order,
            " LIMIT ?4"
        )
    };
}

/// The newest matches before a match.
pub const LISTED: &str = listed!(
    "block.row <= ?9 AND (block.row < ?9 OR match.row < ?10) AND block.row >= ?12",
    "block.row DESC, match.row DESC"
);

/// The longest matches before a match. This one sorts what it found: `?12` bounds it.
pub const LISTED_LONGEST: &str = listed!(
    "block.row <= ?9 AND (block.row < ?9 OR match.row < ?10) AND block.row >= ?12",
    "match.plies DESC, block.row DESC, match.row DESC"
);

/// The oldest matches after a match.
pub const LISTED_OLDEST: &str =
    listed!("block.row >= ?9 AND (block.row > ?9 OR match.row > ?10) AND ?12 IS NOT NULL", "block.row, match.row");

/// The newest block that a search from a block on leaves out, which takes only this number of blocks.
pub const LEFT_OUT: &str = "SELECT row FROM block WHERE ladder = ?1 AND row <= ?2 ORDER BY row DESC LIMIT 1 OFFSET ?3";

/// The oldest match of a ladder after a block.
pub const FIRST_AFTER: &str = "SELECT match.id FROM block CROSS JOIN match ON match.block = block.row
    WHERE block.ladder = ?1 AND block.row > ?2 ORDER BY block.row, match.row LIMIT 1";

/// The row of a block, if the ladder has it.
pub const HAS_BLOCK: &str = "SELECT row FROM block WHERE ladder = ?1 AND id = ?2";

/// All ladders with the number of blocks of each, the one worked on last first; they are few, so they may be sorted.
pub const LADDERS: &str = "SELECT id, name, game, seats, seed, seed_drawn, terms, settings,
    (SELECT count(*) FROM block WHERE block.ladder = ladder.id) FROM ladder ORDER BY used DESC, id DESC";

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::{Connection, types::Null};

    #[test]
    fn nothing_is_scanned_or_sorted() {
        let db = Connection::open_in_memory().unwrap();
        crate::schema::prepare(&db).unwrap();
        for select in [
            RESULTS,
            PACKS,
            PACKED,
            FULL,
            NEWEST,
            LEFT,
            BLOCKS,
            FOUND,
            MATCH_OF,
            LAST,
            LISTED,
            LISTED_OLDEST,
            LISTED_LONGEST,
            LEFT_OUT,
            FIRST_AFTER,
            HAS_BLOCK,
        ] {
            let mut statement = db.prepare(&format!("EXPLAIN QUERY PLAN {select}")).unwrap();
            let values = vec![Null; statement.parameter_count()];
            let steps = statement.query_map(rusqlite::params_from_iter(values), |row| row.get::<_, String>(3)).unwrap();
            let steps: Vec<String> = steps.map(Result::unwrap).collect();
            let plan = steps.join("\n");
            // Matches of one block, or of one id in several ladders, may be sorted; the longest ones must be.
            let sorts = |step: &str| step.contains("TEMP B-TREE") && !step.contains("LAST") && select != LISTED_LONGEST;
            let slow = |step: &&String| step.starts_with("SCAN") || sorts(step);
            assert_eq!(steps.iter().find(slow), None, "{select}\n{plan}");
        }
    }
}
