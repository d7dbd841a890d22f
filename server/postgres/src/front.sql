-- What is long over costs nothing. Somebody's long look at the record, a backup say, keeps the rows of all blocks that
-- were offered and delivered since; neither who claims nor who delivers walks over them. And what is delivered together
-- is taken by one statement.

-- No free block is before it: not of a table, so that it has no old versions, and nobody waits for it. The coordinator
-- moves it on; what is given back moves it back at once.
CREATE SEQUENCE offer_front;

CREATE FUNCTION move_front_back() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
BEGIN
    IF NEW.place < (SELECT last_value FROM offer_front) THEN
        PERFORM setval('offer_front', NEW.place);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER given_back AFTER UPDATE OF worker ON offer FOR EACH ROW
    WHEN (OLD.worker IS NOT NULL AND NEW.worker IS NULL) EXECUTE FUNCTION move_front_back();

-- Moves it on: over what was claimed since, or, as what comes back while it is moved may be missed, as a look at all
-- that is free has it.
CREATE FUNCTION move_front(looks_at_all boolean) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    known bigint := (SELECT last_value FROM agon.offer_front);
    lowest bigint := CASE WHEN looks_at_all THEN 1 ELSE known END;
    after_all bigint := (SELECT last_value + is_called::integer FROM agon.offer_place_seq);
    first bigint := coalesce((SELECT min(place) FROM agon.offer WHERE worker IS NULL AND place >= lowest), after_all);
BEGIN
    IF first <> known THEN
        PERFORM setval('agon.offer_front', first);
    END IF;
END $$;

-- No lease of a worker is before its oldest.
ALTER TABLE worker ADD oldest bigint NOT NULL DEFAULT 0;
DROP INDEX offer_worker;
CREATE INDEX offer_worker ON offer (worker, lease);

-- As before; and where it was heard of a moment ago, nothing is written down.
CREATE OR REPLACE FUNCTION known(given uuid) RETURNS worker
LANGUAGE plpgsql AS $$
DECLARE me agon.worker;
BEGIN
    SELECT * INTO me FROM agon.worker WHERE worker.key = given FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no worker has this key; help: start the worker again' USING ERRCODE = 'AG001';
    END IF;
    IF me.state = 'banned' THEN
        RAISE EXCEPTION 'worker % is banned here; help: ask whoever runs the ladder', me.name USING ERRCODE = 'AG001';
    END IF;
    IF me.seen < clock_timestamp() - interval '250 ms' THEN
        UPDATE agon.worker SET seen = clock_timestamp(), oldest = coalesce(
                (SELECT min(lease) FROM agon.offer WHERE offer.worker = me.id AND offer.lease >= me.oldest),
                (SELECT last_value FROM agon.offer_lease))
            WHERE worker.id = me.id RETURNING worker.* INTO me;
    END IF;
    RETURN me;
END $$;

-- What proof tells, for many leases at once.
CREATE FUNCTION proof_by(secret uuid, ladder bigint, id text, lease bigint, worker bigint) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(concat_ws(' ', $1, $2, $3, $4, $5), 'UTF8')), 'hex')
$$;

-- As before; it begins at the front.
CREATE OR REPLACE FUNCTION worker_claim(key uuid, many integer, wants integer)
RETURNS TABLE (ladder bigint, block text, lease bigint, proof text, terms bigint, content text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    me worker := known(key);
    front bigint := (SELECT last_value FROM offer_front);
    wanted bigint[] := ARRAY(SELECT told.id FROM terms AS told JOIN board AS held ON held.ladder = told.ladder
        WHERE held.holder IS NOT NULL AND told.game = ANY (me.games) AND told.threads <= me.cores
            AND told.id <> ALL (me.declined));
    holders uuid[] := ARRAY(SELECT held.holder FROM board AS held WHERE held.holder IS NOT NULL);
    room bigint;
BEGIN
    UPDATE worker SET wants = least(greatest(worker_claim.wants, 1), 1024)
        WHERE id = me.id AND worker.wants IS DISTINCT FROM least(greatest(worker_claim.wants, 1), 1024);
    IF me.state <> 'active' THEN
        RETURN;
    END IF;
    room := 1024 - (SELECT count(*) FROM offer WHERE offer.worker = me.id AND offer.lease >= me.oldest);
    RETURN QUERY
    WITH taken AS (
        UPDATE offer SET worker = me.id, lease = nextval('offer_lease'), since = clock_timestamp(),
            until = clock_timestamp() + board.lease
        FROM board WHERE board.ladder = offer.ladder AND offer.place = ANY (ARRAY(
            SELECT free.place FROM offer AS free
            WHERE free.worker IS NULL AND free.place >= front AND free.holder = ANY (holders)
                AND free.terms = ANY (wanted) AND (free.not_to IS NULL OR me.party <> ALL (free.not_to))
            ORDER BY free.place LIMIT greatest(least(many, 256, room), 0) FOR UPDATE SKIP LOCKED))
        RETURNING offer.*)
    SELECT t.ladder, t.id, t.lease, proof_by(secret, t.ladder, t.id, t.lease, me.id), t.terms, t.content
    FROM taken AS t, secret ORDER BY t.place;
END $$;

-- Takes what is as it should be by one statement, and locks all copies of all blocks in one order first, so that no two
-- who deliver wait for each other. What is not is judged one by one: why it was refused.
CREATE OR REPLACE FUNCTION worker_deliver(key uuid, ladders bigint[], ids text[], leases bigint[], proofs text[],
    contents text[], causes text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    me worker := known(key);
    given_many integer := greatest(cardinality(ladders), cardinality(ids), cardinality(leases), cardinality(proofs),
        cardinality(contents), cardinality(causes));
    taken bigint[];
BEGIN
    IF given_many > 256 THEN
        RAISE EXCEPTION 'at most 256 blocks are delivered at once' USING ERRCODE = 'AG001';
    END IF;
    -- What came of blocks is long, and copied only where it is kept.
    WITH given AS MATERIALIZED (
        SELECT DISTINCT ON (g.ladder, g.id, g.lease) g.ladder, g.id, g.lease, g.number
        FROM unnest(ladders, ids, leases, proofs, contents, causes) WITH ORDINALITY
            AS g (ladder, id, lease, proof, content, cause, number), secret
        WHERE g.proof = proof_by(secret, g.ladder, g.id, g.lease, me.id) AND (g.content IS NULL) <> (g.cause IS NULL)
            AND coalesce(octet_length(g.content) <= 1048576, octet_length(g.cause) <= 2000)
        ORDER BY g.ladder, g.id, g.lease, g.number),
    copies AS MATERIALIZED (
        SELECT offer.ladder, offer.id, offer.lease, offer.since FROM offer
        WHERE (offer.ladder, offer.id) IN (SELECT given.ladder, given.id FROM given)
        ORDER BY offer.ladder, offer.id, offer.copy FOR UPDATE),
    good AS MATERIALIZED (
        SELECT given.*, copies.since FROM given JOIN copies USING (ladder, id, lease) ORDER BY given.number),
    kept AS (
        INSERT INTO inbox (ladder, id, worker, content, cause, took)
        SELECT good.ladder, good.id, me.id, contents[good.number], causes[good.number],
            extract(epoch FROM clock_timestamp() - good.since) FROM good
        ON CONFLICT DO NOTHING),
    gone AS (
        DELETE FROM offer USING good WHERE offer.ladder = good.ladder AND offer.id = good.id)
    SELECT array_agg(good.number) INTO taken FROM good;
    IF cardinality(taken) = given_many THEN
        RETURN;
    END IF;
    RETURN QUERY SELECT deliver_one(me, g.ladder, g.id, g.lease, g.proof, g.content, g.cause)
        FROM unnest(ladders, ids, leases, proofs, contents, causes) WITH ORDINALITY
            AS g (ladder, id, lease, proof, content, cause, number)
        WHERE g.number <> ALL (coalesce(taken, '{}')) ORDER BY g.number;
END $$;

CREATE OR REPLACE FUNCTION worker_beat(key uuid, wants integer)
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

REVOKE ALL ON FUNCTION move_front_back(), move_front(boolean), proof_by(uuid, bigint, text, bigint, bigint) FROM PUBLIC;
