-- What workers on other machines may call: a worker's role may call the functions that begin with worker_ and nothing
-- else. Each is one transaction and refuses in one sentence. Deliveries wait in inbox until the coordinator has replayed
-- them by the rules.

-- Functions that only they call need no rights and no search path of their own: each caller has both, and to set them
-- again costs more than the work. Arguments differ in length, so that plans for just these would seem cheaper, and would
-- be made anew at each call: hence the generic plans.

-- That a lease was given to a worker: nobody else can make it, and it outlives the lease.
CREATE FUNCTION proof_by(secret uuid, ladder bigint, id text, lease bigint, worker bigint) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(concat_ws(' ', $1, $2, $3, $4, $5), 'UTF8')), 'hex')
$$;

-- Who stands behind a worker: whoever has the key that its machine made at its first join.
CREATE FUNCTION party_of(role text, identity text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT $1 || '/' || left(encode(sha256(convert_to($2, 'UTF8')), 'hex'), 16)
$$;

-- The strikes that exclude a party. A refusal is one strike; a result that differs from two equal ones is all of them.
CREATE FUNCTION strikes_to_ban() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 3 $$;

-- The excluded parties of one invitation, after which nobody new comes by it.
CREATE FUNCTION most_banned() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 10 $$;

-- Whether a party had all its strikes.
CREATE FUNCTION is_out(its text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(strikes), 0) >= agon.strikes_to_ban() FROM agon.worker WHERE worker.party = $1
$$;

-- Counts a refusal against a worker and says it. A party with all its strikes gets nothing more to play; if it got them
-- at once, what it holds and what it handed in goes to others, too.
CREATE FUNCTION blame(guilty bigint, sentence text, weight integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE its text;
BEGIN
    UPDATE worker SET faults = faults + 1, strikes = strikes + weight, why = sentence
        WHERE worker.id = guilty RETURNING party INTO its;
    IF is_out(its) THEN
        UPDATE worker SET state = 'draining' WHERE worker.party = its AND state = 'active';
    END IF;
    IF weight >= strikes_to_ban() THEN
        UPDATE worker SET differed = true WHERE worker.id = guilty;
        UPDATE offer SET worker = NULL, lease = NULL, until = NULL
            WHERE offer.worker IN (SELECT worker.id FROM worker WHERE worker.party = its);
        DELETE FROM inbox WHERE inbox.worker IN (SELECT worker.id FROM worker WHERE worker.party = its);
    END IF;
    RETURN sentence;
END $$;

-- The worker with a key, heard of now; the sentence why it is not answered otherwise. Where it was heard of a moment
-- ago, nothing is written down.
CREATE FUNCTION known(given uuid) RETURNS worker
LANGUAGE plpgsql AS $$
DECLARE me agon.worker;
BEGIN
    SELECT * INTO me FROM agon.worker WHERE worker.key = given FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no worker has this key; help: start the worker again' USING ERRCODE = 'AG001';
    END IF;
    IF me.state = 'banned' THEN
        RAISE EXCEPTION 'worker % is banned here; help: ask the operator of the ladder', me.name USING ERRCODE = 'AG001';
    END IF;
    IF me.seen < clock_timestamp() - interval '250 ms' THEN
        UPDATE agon.worker SET seen = clock_timestamp(), session = pg_backend_pid(), oldest = coalesce(
                (SELECT min(lease) FROM agon.offer WHERE offer.worker = me.id AND offer.lease >= me.oldest),
                (SELECT last_value FROM agon.offer_lease))
            WHERE worker.id = me.id RETURNING worker.* INTO me;
    END IF;
    RETURN me;
END $$;

-- Who only reads is looked up and not locked: a large file over a slow line keeps nobody waiting.
CREATE FUNCTION let_read(given uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM agon.worker WHERE worker.key = given AND state <> 'banned';
    IF NOT FOUND THEN
        PERFORM agon.known(given);
    END IF;
END $$;

CREATE FUNCTION worker_hello(protocol integer, name text, build text, games text[], cores integer,
    jobs integer, rungs text[], identity text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE
    made uuid;
    its text := party_of(session_user, identity);
BEGIN
    IF protocol IS DISTINCT FROM 4 THEN
        RAISE EXCEPTION 'this worker speaks protocol %, the record 4; help: use the same agon on both machines',
            protocol USING ERRCODE = 'AG001';
    END IF;
    IF name IS NULL OR name !~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$' THEN
        RAISE EXCEPTION 'a worker is called by 1 to 63 letters, digits, dots and dashes; help: --name NAME'
            USING ERRCODE = 'AG001';
    END IF;
    IF build IS NULL OR build !~ '^[ -~]{1,40}$' OR games IS NULL OR rungs IS NULL OR octet_length(games::text) > 4096
        OR octet_length(rungs::text) > 4096 OR (cores BETWEEN 1 AND 65536) IS NOT TRUE
        OR (jobs BETWEEN 1 AND cores) IS NOT TRUE OR (identity ~ '^[0-9A-Za-z]{32,64}$') IS NOT TRUE THEN
        RAISE EXCEPTION 'worker % says of itself what cannot be; help: use the same agon on both machines', name
            USING ERRCODE = 'AG001';
    END IF;
    IF EXISTS (SELECT 1 FROM banned_machine WHERE banned_machine.party = its)
        OR EXISTS (SELECT 1 FROM ban JOIN invitation ON invitation.name = ban.name
            WHERE invitation.role = session_user) THEN
        RAISE EXCEPTION 'worker % is banned here; help: ask the operator of the ladder', name USING ERRCODE = 'AG001';
    END IF;
    IF is_out(its) THEN
        RAISE EXCEPTION 'what worker % delivered was refused, and it gets nothing more to play; help: ask the operator of '
            'the ladder to look at agon worker list, and to let it come again: agon worker pardon %', name,
            (SELECT max(worker.id) FROM worker WHERE worker.party = its)
            USING ERRCODE = 'AG001';
    END IF;
    -- A key is made again as easily as the first time.
    IF (SELECT count(*) FROM (SELECT FROM worker WHERE worker.role = session_user AND worker.strikes > 0
            GROUP BY worker.party HAVING sum(worker.strikes) >= strikes_to_ban()) AS parties) >= most_banned() THEN
        RAISE EXCEPTION '% workers that came as % were refused, and nobody new comes by its line; help: ask whoever '
            'runs the ladder to look at agon worker list, and to invite under another name: agon worker invite NAME',
            most_banned(), session_user USING ERRCODE = 'AG001';
    END IF;
    -- A row a start, for a week: whoever starts again and again would fill the disk.
    IF EXISTS (SELECT 1 FROM invitation WHERE invitation.role = session_user)
        AND (SELECT count(*) FROM worker WHERE worker.role = session_user
            AND worker.began > now() - interval '1 hour') >= 1000 THEN
        RAISE EXCEPTION 'a thousand workers came as % in the last hour, and this one waits; help: the operator can invite '
            'others under another name: agon worker invite NAME', session_user USING ERRCODE = 'AG003';
    END IF;
    INSERT INTO worker (name, role, build, games, rungs, cores, jobs, party, session)
        VALUES (name, session_user, build, games, rungs, cores, jobs, its, pg_backend_pid())
        RETURNING worker.key INTO made;
    RETURN made;
END $$;

-- How fast its machine is against the reference, and what its processor calls itself: said once, after hello.
CREATE FUNCTION worker_speed(key uuid, speed double precision, spread double precision, class text)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    IF (worker_speed.speed > 0 AND worker_speed.speed < 1e6) IS NOT TRUE
        OR (worker_speed.spread >= 0 AND worker_speed.spread < 1e6) IS NOT TRUE
        OR (worker_speed.class ~ '^[ -~]{0,60}$') IS NOT TRUE THEN
        RAISE EXCEPTION 'worker % says of its speed what cannot be; help: use the same agon on both machines', me.name
            USING ERRCODE = 'AG001';
    END IF;
    UPDATE worker SET speed = worker_speed.speed, spread = worker_speed.spread, class = worker_speed.class
        WHERE id = me.id;
END $$;

-- One delivery: null, or why it was refused. What comes late is taken while its block is open, unless somebody else
-- is to play that one. What comes twice does no harm and is no fault.
CREATE FUNCTION deliver_one(me worker, ladder bigint, id text, lease bigint, proof text, content text,
    cause text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    held offer;
    shown text := left(regexp_replace(coalesce(id, ''), '[^0-9A-Za-z-]', '?', 'g'), 40);
    sentence text;
    is_late boolean := false;
BEGIN
    IF deliver_one.proof IS DISTINCT FROM (SELECT proof_by(secret, deliver_one.ladder, deliver_one.id,
            deliver_one.lease, me.id) FROM secret) THEN
        RETURN blame(me.id, format('block %s was never leased to this worker', shown), 1);
    END IF;
    SELECT * INTO held FROM offer WHERE offer.ladder = deliver_one.ladder AND offer.id = deliver_one.id
        AND offer.lease = deliver_one.lease FOR UPDATE;
    IF NOT FOUND THEN
        SELECT * INTO held FROM offer WHERE offer.ladder = deliver_one.ladder AND offer.id = deliver_one.id
            ORDER BY offer.worker NULLS LAST LIMIT 1 FOR UPDATE;
        is_late := FOUND;
        IF EXISTS (SELECT 1 FROM inbox WHERE inbox.ladder = deliver_one.ladder AND inbox.id = deliver_one.id)
            OR EXISTS (SELECT 1 FROM block WHERE block.ladder = deliver_one.ladder AND block.id = deliver_one.id) THEN
            sentence := format('block %s was delivered before', shown);
        ELSIF NOT is_late THEN
            sentence := format('block %s is not played any more: its ladder has ended, or goes on without it', shown);
        ELSIF deliver_one.lease <= held.after OR me.party = ANY (coalesce(held.not_to, '{}'))
            OR me.differed OR is_out(me.party) THEN
            sentence := format('block %s was delivered before, and is to be played by another worker', shown);
        END IF;
        IF sentence IS NOT NULL THEN
            UPDATE worker SET late = late + 1 WHERE worker.id = me.id;
            RETURN sentence;
        END IF;
    END IF;
    IF (content IS NULL) = (cause IS NULL) THEN
        sentence := format('what came of block %s is neither a result nor a cause', shown);
    ELSIF octet_length(content) > 1048576 OR octet_length(cause) > 2000 THEN
        sentence := format('what came of block %s has more than 1 MiB, or its cause more than 2,000 bytes', shown);
    END IF;
    IF sentence IS NOT NULL THEN
        UPDATE offer SET worker = NULL, lease = NULL, until = NULL
            WHERE offer.ladder = held.ladder AND offer.id = held.id AND offer.copy = held.copy AND NOT is_late;
        RETURN blame(me.id, sentence, 1);
    END IF;
    INSERT INTO inbox (ladder, id, worker, content, cause, took)
        VALUES (deliver_one.ladder, deliver_one.id, me.id, deliver_one.content, deliver_one.cause,
            CASE WHEN NOT is_late THEN extract(epoch FROM clock_timestamp() - held.since) END)
        ON CONFLICT DO NOTHING;
    DELETE FROM offer WHERE offer.ladder = held.ladder AND offer.id = held.id;
    RETURN NULL;
END $$;

-- Hands in what was played, and claims as many blocks as are lacking, `many` of them: one way there and back and one
-- transaction for both. First come refusals, then blocks.
-- What is as it should be is taken by one statement; what is not is judged one by one. Each lease is one worker's, so
-- that no two who deliver wait for each other but where both played a block, and there in one order. The other copy of
-- a block goes with it, unless just now somebody delivers that.
-- Leases that are over are ended by whoever coordinates, so that free blocks are found by their index, in their order,
-- from the front on: a plan that reads all of them and sorts costs a hundred times as much. Nobody holds more than it
-- could have asked for in all.
-- Whoever exchanges is there, so that its leases begin anew as by worker_beat; those that did so a moment ago stay.
CREATE FUNCTION worker_exchange(key uuid, ladders bigint[], ids text[], leases bigint[], proofs text[],
    contents text[], causes text[], many integer, wants integer)
RETURNS TABLE (refusal text, ladder bigint, block text, lease bigint, proof text, terms bigint, content text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    me worker := known(key);
    given_many integer := greatest(cardinality(ladders), cardinality(ids), cardinality(leases), cardinality(proofs),
        cardinality(contents), cardinality(causes));
    bounded integer := least(greatest(wants, 1), 1024);
    taken bigint[];
    its_ladders bigint[];
    its_ids text[];
    wanted bigint[];
    holders uuid[];
BEGIN
    IF given_many > 256 THEN
        RAISE EXCEPTION 'at most 256 blocks are delivered at once' USING ERRCODE = 'AG001';
    END IF;
    -- An array of PostgreSQL may begin at any number, and have more dimensions: both are refused.
    IF EXISTS (SELECT 1 FROM (VALUES (array_ndims(ladders), array_lower(ladders, 1)),
            (array_ndims(ids), array_lower(ids, 1)), (array_ndims(leases), array_lower(leases, 1)),
            (array_ndims(proofs), array_lower(proofs, 1)), (array_ndims(contents), array_lower(contents, 1)),
            (array_ndims(causes), array_lower(causes, 1))) AS given (dimensions, lower)
            WHERE given.dimensions <> 1 OR given.lower <> 1) THEN
        RAISE EXCEPTION 'blocks are delivered in plain arrays; help: use the same agon on both machines'
            USING ERRCODE = 'AG001';
    END IF;
    IF given_many > 0 THEN
        -- What is kept is the value that was checked: the arrays are never indexed.
        WITH given AS MATERIALIZED (
            SELECT DISTINCT ON (g.ladder, g.id, g.lease) g.ladder, g.id, g.lease, g.content, g.cause, g.number
            FROM unnest(ladders, ids, leases, proofs, contents, causes) WITH ORDINALITY
                AS g (ladder, id, lease, proof, content, cause, number), secret
            WHERE g.proof = proof_by(secret, g.ladder, g.id, g.lease, me.id)
                AND (g.content IS NULL) <> (g.cause IS NULL)
                AND coalesce(octet_length(g.content) <= 1048576, octet_length(g.cause) <= 2000)
            ORDER BY g.ladder, g.id, g.lease, g.number),
        gone AS (
            DELETE FROM offer USING given
            WHERE offer.ladder = given.ladder AND offer.id = given.id AND offer.lease = given.lease
            RETURNING offer.ladder, offer.id, offer.since, given.content, given.cause, given.number),
        kept AS (
            INSERT INTO inbox (ladder, id, worker, content, cause, took)
            SELECT gone.ladder, gone.id, me.id, gone.content, gone.cause,
                extract(epoch FROM clock_timestamp() - gone.since)
            FROM (SELECT * FROM gone ORDER BY gone.ladder, gone.id) AS gone
            ON CONFLICT DO NOTHING RETURNING inbox.ladder, inbox.id)
        SELECT array_agg(gone.number), array_agg(gone.ladder), array_agg(gone.id) INTO taken, its_ladders, its_ids
            FROM gone JOIN kept USING (ladder, id);
        IF EXISTS (SELECT 1 FROM offer WHERE copy = 1) THEN
            DELETE FROM offer WHERE offer.ctid = ANY (ARRAY(
                SELECT other.ctid FROM unnest(its_ladders, its_ids) AS its (ladder, id)
                JOIN offer AS other ON other.ladder = its.ladder AND other.id = its.id
                FOR UPDATE OF other SKIP LOCKED));
        END IF;
        IF cardinality(taken) IS DISTINCT FROM given_many THEN
            RETURN QUERY SELECT told, NULL::bigint, NULL, NULL::bigint, NULL, NULL::bigint, NULL
                FROM (SELECT deliver_one(me, g.ladder, g.id, g.lease, g.proof, g.content, g.cause) AS told
                    FROM unnest(ladders, ids, leases, proofs, contents, causes) WITH ORDINALITY
                        AS g (ladder, id, lease, proof, content, cause, number)
                    WHERE g.number <> ALL (coalesce(taken, '{}')) ORDER BY g.number) AS one
                WHERE told IS NOT NULL;
            me := known(key);
        END IF;
    END IF;
    UPDATE offer SET until = clock_timestamp() + board.lease FROM board
        WHERE board.ladder = offer.ladder AND offer.worker = me.id AND offer.lease >= me.oldest
            AND offer.until < clock_timestamp() + board.lease * (5.0 / 6.0);
    IF (many > 0) IS NOT TRUE THEN
        RETURN;
    END IF;
    IF me.state = 'over' AND coalesce(given_many, 0) = 0 THEN
        RAISE EXCEPTION 'the ladder is over' USING ERRCODE = 'AG002';
    END IF;
    IF me.wants <> bounded THEN
        UPDATE worker SET wants = bounded WHERE id = me.id;
    END IF;
    IF me.state <> 'active' THEN
        RETURN;
    END IF;
    SELECT array_agg(told.id), array_agg(held.holder) INTO wanted, holders
        FROM board AS held JOIN terms AS told ON told.ladder = held.ladder
        WHERE held.holder IS NOT NULL AND told.game = ANY (me.games) AND told.threads <= me.cores
            AND told.id <> ALL (me.declined);
    RETURN QUERY
    WITH taken AS (
        UPDATE offer SET worker = me.id, lease = nextval('offer_lease'), since = clock_timestamp(),
            until = clock_timestamp() + board.lease
        FROM board WHERE board.ladder = offer.ladder AND offer.ctid = ANY (ARRAY(
            SELECT free.ctid FROM offer AS free
            WHERE free.worker IS NULL AND free.place >= (SELECT last_value FROM offer_front)
                AND free.holder = ANY (holders) AND free.terms = ANY (wanted)
                AND (free.not_to IS NULL OR me.party <> ALL (free.not_to))
                AND (me.lacks = '{}' OR free.lineup IS NULL OR NOT free.lineup && me.lacks)
            ORDER BY free.place LIMIT greatest(0, least(many, 256, 1024 - (SELECT count(*) FROM offer AS its
                WHERE its.worker = me.id AND its.lease >= me.oldest))) FOR UPDATE SKIP LOCKED))
        RETURNING offer.*)
    SELECT NULL::text, t.ladder, t.id, t.lease, proof_by(secret, t.ladder, t.id, t.lease, me.id), t.terms, t.content
    FROM taken AS t, secret ORDER BY t.place;
END $$;

CREATE FUNCTION worker_beat(key uuid, wants integer)
RETURNS TABLE (drain boolean, lease double precision, refusals text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE worker SET wants = least(greatest(worker_beat.wants, 1), 1024)
        WHERE id = me.id AND worker.wants IS DISTINCT FROM least(greatest(worker_beat.wants, 1), 1024);
    UPDATE offer SET until = clock_timestamp() + board.lease FROM board
        WHERE board.ladder = offer.ladder AND offer.worker = me.id AND offer.lease >= me.oldest;
    RETURN QUERY
    WITH told AS (DELETE FROM refusal WHERE refusal.worker = me.id RETURNING what)
    SELECT me.state = 'draining',
        extract(epoch FROM coalesce((SELECT min(b.lease) FROM board AS b WHERE b.holder IS NOT NULL), '60 s'))::float8,
        coalesce((SELECT array_agg(what) FROM told), '{}');
END $$;

CREATE FUNCTION worker_terms(key uuid, wanted bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
BEGIN
    PERFORM let_read(key);
    RETURN (SELECT content FROM terms WHERE id = wanted);
END $$;

-- A part of a file, of 1 MiB or up to its end: nobody holds a session for long, and others come in between.
CREATE FUNCTION worker_file_part(key uuid, wanted text, start bigint) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
BEGIN
    PERFORM let_read(key);
    RETURN (SELECT substring(bytes FROM 1 + least(greatest(start, 0), 1000000000)::integer FOR 1048576)
        FROM file WHERE hash = wanted);
END $$;

CREATE FUNCTION worker_release(key uuid, given bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE offer SET worker = NULL, lease = NULL, until = NULL
        WHERE offer.worker = me.id AND offer.lease = ANY (given);
END $$;

CREATE FUNCTION worker_decline(key uuid, unwanted bigint, because text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE worker SET why = left(because, 400),
        declined = CASE WHEN cardinality(declined) < 1000 THEN array_append(declined, unwanted) ELSE declined END
        WHERE id = me.id;
    UPDATE offer SET worker = NULL, lease = NULL, until = NULL WHERE offer.worker = me.id AND offer.terms = unwanted;
END $$;

-- Some clients cannot be opened on this worker's machine: others play them.
CREATE FUNCTION worker_lack(key uuid, clients bigint[], because text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE worker SET why = left(because, 400), lacks = ARRAY(SELECT DISTINCT client FROM
        unnest(me.lacks || clients) AS client WHERE client IS NOT NULL LIMIT 1000) WHERE id = me.id;
    UPDATE offer SET worker = NULL, lease = NULL, until = NULL
        WHERE offer.worker = me.id AND offer.lineup && clients;
END $$;

CREATE FUNCTION worker_leave(key uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE offer SET worker = NULL, lease = NULL, until = NULL WHERE offer.worker = me.id;
    UPDATE worker SET state = 'gone' WHERE id = me.id;
END $$;

-- An invitation grants the functions of workers to its role (`roster.rs`); nobody else calls any of them.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA agon FROM PUBLIC;
