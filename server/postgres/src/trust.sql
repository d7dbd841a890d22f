-- Who may play what: a block that is looked at again is not for those who played it, one at the end may be played by
-- two, and whoever was refused too often gets nothing, under whatever name or number it comes back.

ALTER TABLE worker ADD party text NOT NULL DEFAULT '', ADD strikes integer NOT NULL DEFAULT 0;
CREATE INDEX worker_party ON worker (party);
CREATE INDEX played_by_worker ON played_by (worker);
-- copy 0, and where it takes long, copy 1 for somebody else.
ALTER TABLE offer ADD copy smallint NOT NULL DEFAULT 0, ADD not_to text[], ADD since timestamptz;
ALTER TABLE offer DROP CONSTRAINT offer_pkey;
ALTER TABLE offer ADD PRIMARY KEY (ladder, id, copy);
CREATE INDEX offer_free ON offer (place) WHERE worker IS NULL;
ALTER TABLE inbox ADD number bigint GENERATED ALWAYS AS IDENTITY, ADD took double precision;
CREATE INDEX inbox_order ON inbox (ladder, number);

-- Who stands behind a worker: an invited role is one of them, whatever names it uses; of a role that many share, each
-- name.
CREATE FUNCTION party_of(role text, name text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = agon, pg_temp AS $$
    SELECT CASE WHEN EXISTS (SELECT 1 FROM invitation WHERE invitation.role = $1 AND invitation.name <> 'guests')
        THEN $1 ELSE $1 || '/' || $2 END
$$;
UPDATE worker SET party = party_of(role, name), strikes = least(faults, 3);

-- Counts a refusal against a worker and says it. A party with three strikes gets nothing more to play; with all three
-- at once, what it holds and what it handed in goes to others, too.
DROP FUNCTION blame(bigint, text);
CREATE FUNCTION blame(guilty bigint, sentence text, weight integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE its text;
BEGIN
    UPDATE worker SET faults = faults + 1, strikes = strikes + weight, why = sentence
        WHERE worker.id = guilty RETURNING party INTO its;
    IF (SELECT sum(strikes) FROM worker WHERE worker.party = its) >= 3 THEN
        UPDATE worker SET state = 'draining' WHERE worker.party = its AND state = 'active';
    END IF;
    IF weight >= 3 THEN
        UPDATE offer SET worker = NULL, lease = NULL, until = NULL
            WHERE offer.worker IN (SELECT worker.id FROM worker WHERE worker.party = its);
        DELETE FROM inbox WHERE inbox.worker IN (SELECT worker.id FROM worker WHERE worker.party = its);
    END IF;
    RETURN sentence;
END $$;

CREATE OR REPLACE FUNCTION worker_hello(protocol integer, name text, build text, games text[], cores integer,
    jobs integer, rungs text[]) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE
    made uuid;
    its text := party_of(session_user, name);
BEGIN
    IF protocol IS DISTINCT FROM 1 THEN
        RAISE EXCEPTION 'this worker speaks protocol %, the record 1; help: use the same agon on both machines',
            protocol USING ERRCODE = 'AG001';
    END IF;
    IF name IS NULL OR name !~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$' THEN
        RAISE EXCEPTION 'a worker is called by 1 to 63 letters, digits, dots and dashes; help: --name NAME'
            USING ERRCODE = 'AG001';
    END IF;
    IF build IS NULL OR build !~ '^[ -~]{1,40}$' OR games IS NULL OR rungs IS NULL OR octet_length(games::text) > 4096
        OR octet_length(rungs::text) > 4096 OR (cores BETWEEN 1 AND 65536) IS NOT TRUE
        OR (jobs BETWEEN 1 AND cores) IS NOT TRUE THEN
        RAISE EXCEPTION 'worker % says of itself what cannot be; help: use the same agon on both machines', name
            USING ERRCODE = 'AG001';
    END IF;
    IF EXISTS (SELECT 1 FROM ban WHERE ban.name = worker_hello.name)
        OR EXISTS (SELECT 1 FROM worker JOIN invitation ON invitation.role = worker.role
            WHERE worker.role = session_user AND worker.state = 'banned') THEN
        RAISE EXCEPTION 'worker % is banned here; help: ask whoever runs the ladder', name USING ERRCODE = 'AG001';
    END IF;
    IF (SELECT sum(strikes) FROM worker WHERE worker.party = its) >= 3 THEN
        RAISE EXCEPTION 'what worker % delivered was refused, and it gets nothing more to play; help: ask whoever runs '
            'the ladder to look at agon workers, and to let it come again: agon workers --pardon %', name, name
            USING ERRCODE = 'AG001';
    END IF;
    INSERT INTO worker (name, role, build, games, rungs, cores, jobs, party)
        VALUES (name, session_user, build, games, rungs, cores, jobs, its) RETURNING worker.key INTO made;
    RETURN made;
END $$;

-- Leases that are over are ended by whoever coordinates, so that free blocks are found by their index, in their order:
-- a plan that reads all of them and sorts costs a hundred times as much.
CREATE OR REPLACE FUNCTION worker_claim(key uuid, many integer, wants integer)
RETURNS TABLE (ladder bigint, block text, lease bigint, proof text, terms bigint, content text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
    me worker := known(key);
    wanted bigint[] := ARRAY(SELECT told.id FROM terms AS told JOIN board AS held ON held.ladder = told.ladder
        WHERE held.holder IS NOT NULL AND told.game = ANY (me.games) AND told.threads <= me.cores
            AND told.id <> ALL (me.declined));
    holders uuid[] := ARRAY(SELECT held.holder FROM board AS held WHERE held.holder IS NOT NULL);
BEGIN
    UPDATE worker SET wants = least(greatest(worker_claim.wants, 1), 1024)
        WHERE id = me.id AND worker.wants IS DISTINCT FROM least(greatest(worker_claim.wants, 1), 1024);
    IF me.state <> 'active' THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH taken AS (
        UPDATE offer SET worker = me.id, lease = nextval('offer_lease'), since = clock_timestamp(),
            until = clock_timestamp() + board.lease
        FROM board WHERE board.ladder = offer.ladder AND offer.place = ANY (ARRAY(
            SELECT free.place FROM offer AS free
            WHERE free.worker IS NULL AND free.holder = ANY (holders) AND free.terms = ANY (wanted)
                AND (free.not_to IS NULL OR me.party <> ALL (free.not_to))
            ORDER BY free.place LIMIT least(greatest(many, 0), 256) FOR UPDATE SKIP LOCKED))
        RETURNING offer.*)
    SELECT t.ladder, t.id, t.lease, proof(t.ladder, t.id, t.lease, me.id), t.terms, t.content
    FROM taken AS t ORDER BY t.place;
END $$;

CREATE OR REPLACE FUNCTION deliver_one(me worker, ladder bigint, id text, lease bigint, proof text, content text,
    cause text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE
    held offer;
    shown text := left(regexp_replace(coalesce(id, ''), '[^0-9A-Za-z-]', '?', 'g'), 40);
    sentence text;
BEGIN
    IF deliver_one.proof IS DISTINCT FROM agon.proof(ladder, id, lease, me.id) THEN
        RETURN blame(me.id, format('block %s was never leased to this worker', shown), 1);
    END IF;
    SELECT * INTO held FROM offer WHERE offer.ladder = deliver_one.ladder AND offer.id = deliver_one.id
        AND offer.lease = deliver_one.lease FOR UPDATE;
    IF NOT FOUND THEN
        SELECT * INTO held FROM offer WHERE offer.ladder = deliver_one.ladder AND offer.id = deliver_one.id
            ORDER BY offer.worker NULLS LAST LIMIT 1;
        IF FOUND AND held.worker IS NOT NULL THEN
            sentence := format('the lease of block %s is over, and it was given to another worker', shown);
        ELSIF FOUND THEN
            sentence := format('the lease of block %s is over, and it is offered to others', shown);
        ELSIF EXISTS (SELECT 1 FROM inbox WHERE inbox.ladder = deliver_one.ladder AND inbox.id = deliver_one.id)
            OR EXISTS (SELECT 1 FROM block WHERE block.ladder = deliver_one.ladder AND block.id = deliver_one.id) THEN
            sentence := format('block %s was delivered before', shown);
        ELSE
            sentence := format('block %s is not played any more: its ladder has ended, or goes on without it', shown);
        END IF;
        UPDATE worker SET late = late + 1 WHERE worker.id = me.id;
        RETURN sentence;
    END IF;
    IF (content IS NULL) = (cause IS NULL) THEN
        sentence := format('what came of block %s is neither a result nor a cause', shown);
    ELSIF octet_length(content) > 1048576 OR octet_length(cause) > 2000 THEN
        sentence := format('what came of block %s has more than 1 MiB, or its cause more than 2,000 bytes', shown);
    END IF;
    IF sentence IS NOT NULL THEN
        UPDATE offer SET worker = NULL, lease = NULL, until = NULL WHERE offer.place = held.place;
        RETURN blame(me.id, sentence, 1);
    END IF;
    INSERT INTO inbox (ladder, id, worker, content, cause, took)
        VALUES (deliver_one.ladder, deliver_one.id, me.id, deliver_one.content, deliver_one.cause,
            extract(epoch FROM clock_timestamp() - held.since))
        ON CONFLICT DO NOTHING;
    DELETE FROM offer WHERE offer.ladder = held.ladder AND offer.id = held.id;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION worker_beat(key uuid, wants integer)
RETURNS TABLE (drain boolean, lease double precision, refusals text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE worker SET wants = least(greatest(worker_beat.wants, 1), 1024)
        WHERE id = me.id AND worker.wants IS DISTINCT FROM least(greatest(worker_beat.wants, 1), 1024);
    UPDATE offer SET until = clock_timestamp() + board.lease FROM board
        WHERE board.ladder = offer.ladder AND offer.worker = me.id;
    RETURN QUERY
    WITH told AS (DELETE FROM refusal WHERE refusal.worker = me.id RETURNING what)
    SELECT me.state = 'draining',
        extract(epoch FROM coalesce((SELECT min(b.lease) FROM board AS b WHERE b.holder IS NOT NULL), '60 s'))::float8,
        coalesce((SELECT array_agg(what) FROM told), '{}');
END $$;

REVOKE ALL ON FUNCTION party_of(text, text), blame(bigint, text, integer) FROM PUBLIC;
