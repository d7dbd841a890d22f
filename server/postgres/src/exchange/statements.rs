//! The statements by which a coordinator keeps the exchange of a ladder.

pub(super) const HOLD: &str =
    "INSERT INTO board (ladder, holder, lease) VALUES ($1, gen_random_uuid(), make_interval(secs => $2))
    ON CONFLICT (ladder) DO UPDATE SET holder = gen_random_uuid(), lease = make_interval(secs => $2)
    RETURNING holder::text";

pub(super) const SAME_TERMS: &str =
    "SELECT id FROM terms WHERE ladder = $1 AND game = $2 AND threads = $3 AND content = $4
    ORDER BY id DESC LIMIT 1";

pub(super) const TERMS: &str =
    "INSERT INTO terms (ladder, game, threads, content) VALUES ($1, $2, $3, $4) RETURNING id";

pub(super) const CLEAR: &str = "DELETE FROM offer WHERE ladder = $1 AND (worker IS NULL OR until < clock_timestamp())";

/// The blocks that a killed coordinator had kept and not counted.
pub(super) const UNCOUNTED: &str =
    "INSERT INTO played_by (ladder, id, worker) SELECT inbox.ladder, inbox.id, inbox.worker
    FROM inbox JOIN block ON block.ladder = inbox.ladder AND block.id = inbox.id WHERE inbox.ladder = $1
    ON CONFLICT DO NOTHING";

pub(super) const KNOWN: &str =
    "DELETE FROM inbox USING block WHERE inbox.ladder = $1 AND block.ladder = $1 AND block.id = inbox.id";

/// The workers that must not play the blocks come as the text of an array. For a block to be played again, deliveries
/// by earlier leases do not count.
pub(super) const OFFER: &str = "INSERT INTO offer (ladder, id, holder, terms, content, not_to, after, lineup)
    SELECT $1::bigint, id, $2::text::uuid, $3::bigint, content, CASE WHEN not_to <> '{}' THEN
        ARRAY(SELECT DISTINCT party FROM worker WHERE worker.id = ANY (not_to::bigint[])) END,
        CASE WHEN $7 THEN (SELECT last_value FROM offer_lease) ELSE 0 END,
        lineup::bigint[]
    FROM unnest($4::text[], $5::text[], $6::text[], $8::text[]) WITH ORDINALITY
        AS given (id, content, not_to, lineup, place)
    WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.ladder = $1 AND inbox.id = given.id) ORDER BY place
    ON CONFLICT (ladder, id, copy) DO UPDATE SET holder = excluded.holder";

/// One of the last blocks that are under way: its present holder does not get it a second time.
pub(super) const OFFER_TWICE: &str =
    "INSERT INTO offer (ladder, id, holder, terms, content, after, lineup, copy, not_to)
    SELECT ladder, id, holder, terms, content, after, lineup, 1,
        coalesce(not_to, '{}') || ARRAY(SELECT party FROM worker WHERE worker.id = offer.worker)
    FROM offer WHERE ladder = $1 AND copy = 0 AND worker IS NOT NULL
        AND since < clock_timestamp() - make_interval(secs => $2)
        AND NOT EXISTS (SELECT 1 FROM offer AS free WHERE free.ladder = $1 AND free.worker IS NULL)
    ORDER BY place LIMIT 64 ON CONFLICT DO NOTHING";

/// Leases end only while the coordinator watches: after a gap of the server, the network or the coordinator, all of
/// them begin again. A gap is longer than a quarter of a lease, and than a loaded machine may take for a look.
pub(super) const WATCH: &str =
    "WITH before AS MATERIALIZED (SELECT looked, lease FROM board WHERE ladder = $1 FOR UPDATE),
    now_looked AS (UPDATE board SET looked = clock_timestamp() WHERE ladder = $1)
    UPDATE offer SET until = clock_timestamp() + before.lease FROM before
    WHERE offer.ladder = $1 AND offer.worker IS NOT NULL
        AND coalesce(before.looked < clock_timestamp() - greatest(before.lease / 4, '5 s'), true)";

/// Whether there was such a gap; an exchange that nobody has looked at had none.
pub(super) const WAS_AWAY: &str =
    "SELECT coalesce(looked < clock_timestamp() - greatest(lease / 4, '5 s'), false) FROM board WHERE ladder = $1";

pub(super) const END_LEASES: &str = "UPDATE offer SET worker = NULL, lease = NULL, until = NULL
    WHERE ladder = $1 AND until < clock_timestamp()";

/// No free block precedes the front; returns its state, and the blocks that came back while it moved.
pub(super) const MOVE_FRONT: &str = "SELECT move_front(false)";

pub(super) const SEEK_FRONT: &str = "SELECT move_front(true)";

pub(super) const FORGOTTEN: &str = "SELECT given.id FROM unnest($2::text[]) AS given (id)
    WHERE NOT EXISTS (SELECT 1 FROM offer WHERE offer.ladder = $1 AND offer.id = given.id)
        AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.ladder = $1 AND inbox.id = given.id)";

pub(super) const DELIVERIES: &str =
    "SELECT part.id, worker.id, worker.name, part.content, part.cause, part.took, part.number,
        (extract(epoch FROM part.at) * 1000000)::bigint
    FROM (SELECT coming.*, row_number() OVER (ORDER BY number) AS place,
            sum(octet_length(coalesce(content, cause))) OVER (ORDER BY number) AS bytes
        FROM (SELECT * FROM inbox WHERE inbox.ladder = $1 AND inbox.number > $2 ORDER BY number LIMIT $3) AS coming)
        AS part JOIN worker ON worker.id = part.worker
    WHERE part.bytes <= $4 OR part.place = 1 ORDER BY part.number";

/// Rows of workers are locked first and in order, as workers themselves lock them.
pub(super) const LOCK: &str = "SELECT id FROM worker WHERE id = ANY ($1) ORDER BY id FOR UPDATE";

pub(super) const COUNT: &str = "UPDATE worker SET blocks = blocks + sum.kept, voids = voids + sum.void
    FROM (SELECT worker AS id, count(*) FILTER (WHERE kept) AS kept, count(*) FILTER (WHERE NOT kept) AS void
          FROM unnest($1::bigint[], $2::boolean[]) AS given (worker, kept) GROUP BY worker) AS sum
    WHERE worker.id = sum.id";

/// A refusal is one strike; a result that differs from two equal ones is all of them.
pub(super) const REFUSE: &str = "SELECT blame(worker, what, CASE WHEN differs THEN strikes_to_ban() ELSE 1 END)
    FROM unnest($1::bigint[], $2::text[], $3::boolean[]) AS given (worker, what, differs)";

pub(super) const TELL: &str = "INSERT INTO refusal (worker, what) SELECT * FROM unnest($1::bigint[], $2::text[])";

/// A void block counts for nobody. A worker that delivers too many, among all deliveries of its party, is blamed for
/// them.
pub(super) const TOO_VOID: &str = "INSERT INTO refusal (worker, what)
    SELECT worker.id, blame(worker.id, format('%s of %s blocks could not be played by this worker; help: look at what \
            its machine lacks: agon doctor', party.voids, party.voids + party.blocks), 1)
    FROM worker JOIN LATERAL (SELECT sum(voids) AS voids, sum(blocks) AS blocks FROM worker AS its
        WHERE its.party = worker.party) AS party ON party.voids > $2::bigint + party.blocks / $3::bigint
    WHERE worker.id = ANY ($1::bigint[])";

pub(super) const PLAYED: &str = "INSERT INTO played_by (ladder, id, worker) SELECT $1::bigint, * FROM
    unnest($2::text[], $3::bigint[]) ON CONFLICT DO NOTHING";

pub(super) const TAKE_DOWN: &str = "DELETE FROM inbox WHERE ladder = $1 AND id = ANY ($2)";

pub(super) const TAKE_BACK: &str = "DELETE FROM offer WHERE ladder = $1 AND id = ANY ($2)";

pub(super) const RECALL: &str = "DELETE FROM offer WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM offer WHERE ladder = $1 AND (worker IS NULL OR until < clock_timestamp())
        ORDER BY place LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING id";

pub(super) const CROWD: &str =
    "SELECT board.holder IS NOT DISTINCT FROM $2::text::uuid, count(worker.id), coalesce(sum(wants), 0)
    FROM board JOIN terms ON terms.id = $3 LEFT JOIN worker ON worker.state = 'active'
        AND worker.seen > clock_timestamp() - board.lease AND terms.game = ANY (worker.games)
        AND terms.threads <= worker.cores AND terms.id <> ALL (worker.declined)
    WHERE board.ladder = $1 GROUP BY 1";

pub(super) const BUILDS: &str =
    "SELECT build, min(name) FROM worker, board WHERE board.ladder = $1 AND state = 'active'
        AND seen > clock_timestamp() - board.lease GROUP BY build ORDER BY build LIMIT 16";

/// The blocks of workers in a ladder that differed from two others, and of all that come with the same key.
pub(super) const DISTRUSTED: &str = "SELECT array_agg(block.number) FROM played_by
    JOIN worker ON worker.id = played_by.worker
    JOIN block ON block.ladder = played_by.ladder AND block.id = played_by.id
    WHERE played_by.ladder = $1 AND worker.party IN (SELECT party FROM worker WHERE differed) AND is_out(worker.party)";

pub(super) const NOT_PLAYED: &str = "DELETE FROM played_by WHERE ladder = $1 AND worker IN (SELECT id FROM worker
    WHERE party IN (SELECT party FROM worker WHERE differed) AND is_out(party))";

pub(super) const DESERTED: &str =
    "SELECT offer.id FROM offer JOIN board ON board.ladder = offer.ladder JOIN terms ON terms.id = $3
    WHERE offer.ladder = $1 AND offer.id = ANY ($2) AND offer.copy = 0 AND offer.worker IS NULL AND NOT EXISTS (
        SELECT 1 FROM worker WHERE worker.state = 'active' AND worker.seen > clock_timestamp() - board.lease
            AND terms.game = ANY (worker.games) AND terms.threads <= worker.cores AND terms.id <> ALL (worker.declined)
            AND worker.party <> ALL (coalesce(offer.not_to, '{}'))
            AND NOT coalesce(offer.lineup, '{}') && worker.lacks)";

/// Clients with blocks on the exchange that no present worker can open, each with one worker's reason.
pub(super) const UNPLAYABLE: &str = "SELECT entrant.label, min(worker.why) FROM entrant
    JOIN worker ON entrant.id = ANY (worker.lacks) JOIN board ON board.ladder = entrant.ladder
    WHERE entrant.ladder = $1 AND worker.state = 'active' AND worker.seen > clock_timestamp() - board.lease
        AND EXISTS (SELECT 1 FROM offer WHERE offer.ladder = $1 AND entrant.id = ANY (offer.lineup))
        AND NOT EXISTS (SELECT 1 FROM worker AS able, terms WHERE terms.id = $2 AND able.state = 'active'
            AND able.seen > clock_timestamp() - board.lease AND terms.game = ANY (able.games)
            AND terms.threads <= able.cores AND terms.id <> ALL (able.declined) AND entrant.id <> ALL (able.lacks))
    GROUP BY entrant.label ORDER BY entrant.label LIMIT 8";

/// The rows that nobody will read.
pub(super) const TIDY: [&str; 2] = [
    "DELETE FROM refusal WHERE at < now() - interval '7 days'",
    "DELETE FROM worker WHERE seen < now() - interval '7 days' AND strikes = 0 AND state <> 'banned'
        AND NOT EXISTS (SELECT 1 FROM played_by WHERE played_by.worker = worker.id)
        AND NOT EXISTS (SELECT 1 FROM offer WHERE offer.worker = worker.id)
        AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.worker = worker.id)
        AND NOT EXISTS (SELECT 1 FROM refusal WHERE refusal.worker = worker.id)",
];

/// Ends sessions of workers that leave a transaction open, or compute for longer than a lease, if this user may end them.
/// A worker's call takes only a moment, and an open transaction locks rows that the ladder needs.
pub(super) const END_SITTERS: &str = "SELECT usename::text, pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename IN (SELECT role FROM invitation)
        AND pg_has_role(usesysid, 'USAGE')
        AND xact_start < clock_timestamp() - (SELECT lease FROM board WHERE ladder = $1)
        AND (backend_xid IS NOT NULL OR state LIKE 'idle in transaction%'
            OR state = 'active' AND coalesce(wait_event_type, '') NOT IN ('Client', 'Lock'))";

pub(super) const CLOSE: &str = "UPDATE board SET holder = NULL WHERE ladder = $1 AND holder = $2::text::uuid";
