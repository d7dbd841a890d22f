-- A claim and a delivery are fewer statements each, and a block that is delivered is locked no more than once.

-- Who claims finds rows where they stand, so that nobody looks for one by its place, and a claimed block has an entry in
-- one index less.
ALTER TABLE offer DROP CONSTRAINT offer_place_key;

-- As before, but for how a row is found again.
CREATE OR REPLACE FUNCTION deliver_one(me worker, ladder bigint, id text, lease bigint, proof text, content text,
    cause text) RETURNS text
LANGUAGE plpgsql AS $$
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
        UPDATE offer SET worker = NULL, lease = NULL, until = NULL
            WHERE offer.ladder = held.ladder AND offer.id = held.id AND offer.copy = held.copy;
        RETURN blame(me.id, sentence, 1);
    END IF;
    INSERT INTO inbox (ladder, id, worker, content, cause, took)
        VALUES (deliver_one.ladder, deliver_one.id, me.id, deliver_one.content, deliver_one.cause,
            extract(epoch FROM clock_timestamp() - held.since))
        ON CONFLICT DO NOTHING;
    DELETE FROM offer WHERE offer.ladder = held.ladder AND offer.id = held.id;
    RETURN NULL;
END $$;

-- As before. What is told of itself is only written down where it changed.
CREATE OR REPLACE FUNCTION worker_claim(key uuid, many integer, wants integer)
RETURNS TABLE (ladder bigint, block text, lease bigint, proof text, terms bigint, content text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    me worker := known(key);
    bounded integer := least(greatest(wants, 1), 1024);
    wanted bigint[];
    holders uuid[];
BEGIN
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
            ORDER BY free.place LIMIT greatest(0, least(many, 256, 1024 - (SELECT count(*) FROM offer AS its
                WHERE its.worker = me.id AND its.lease >= me.oldest))) FOR UPDATE SKIP LOCKED))
        RETURNING offer.*)
    SELECT t.ladder, t.id, t.lease, proof_by(secret, t.ladder, t.id, t.lease, me.id), t.terms, t.content
    FROM taken AS t, secret ORDER BY t.place;
END $$;

CREATE INDEX offer_second ON offer (ladder) WHERE copy = 1;

-- As before. Each lease is one worker's, so that no two who deliver wait for each other but where both played a block,
-- and there in one order. The other copy of a block goes with it, unless just now somebody delivers that.
CREATE OR REPLACE FUNCTION worker_deliver(key uuid, ladders bigint[], ids text[], leases bigint[], proofs text[],
    contents text[], causes text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    me worker := known(key);
    given_many integer := greatest(cardinality(ladders), cardinality(ids), cardinality(leases), cardinality(proofs),
        cardinality(contents), cardinality(causes));
    has_copies boolean := EXISTS (SELECT 1 FROM offer WHERE copy = 1);
    taken bigint[];
BEGIN
    IF given_many > 256 THEN
        RAISE EXCEPTION 'at most 256 blocks are delivered at once' USING ERRCODE = 'AG001';
    END IF;
    -- What came of blocks is long, and copied only where it is kept.
    WITH given AS MATERIALIZED (
        SELECT g.ladder, g.id, g.lease, min(g.number) AS number
        FROM unnest(ladders, ids, leases, proofs, contents, causes) WITH ORDINALITY
            AS g (ladder, id, lease, proof, content, cause, number), secret
        WHERE g.proof = proof_by(secret, g.ladder, g.id, g.lease, me.id) AND (g.content IS NULL) <> (g.cause IS NULL)
            AND coalesce(octet_length(g.content) <= 1048576, octet_length(g.cause) <= 2000)
        GROUP BY g.ladder, g.id, g.lease),
    gone AS (
        DELETE FROM offer USING given
        WHERE offer.ladder = given.ladder AND offer.id = given.id AND offer.lease = given.lease
        RETURNING offer.ladder, offer.id, offer.since, given.number),
    kept AS (
        INSERT INTO inbox (ladder, id, worker, content, cause, took)
        SELECT gone.ladder, gone.id, me.id, contents[gone.number], causes[gone.number],
            extract(epoch FROM clock_timestamp() - gone.since)
        FROM (SELECT * FROM gone ORDER BY gone.ladder, gone.id) AS gone
        ON CONFLICT DO NOTHING RETURNING inbox.ladder, inbox.id)
    SELECT array_agg(gone.number) INTO taken FROM gone JOIN kept USING (ladder, id);
    IF has_copies THEN
        DELETE FROM offer WHERE offer.ctid = ANY (ARRAY(
            SELECT other.ctid FROM unnest(taken) AS number
            JOIN offer AS other ON other.ladder = ladders[number] AND other.id = ids[number]
            FOR UPDATE OF other SKIP LOCKED));
    END IF;
    IF cardinality(taken) = given_many THEN
        RETURN;
    END IF;
    RETURN QUERY SELECT deliver_one(me, g.ladder, g.id, g.lease, g.proof, g.content, g.cause)
        FROM unnest(ladders, ids, leases, proofs, contents, causes) WITH ORDINALITY
            AS g (ladder, id, lease, proof, content, cause, number)
        WHERE g.number <> ALL (coalesce(taken, '{}')) ORDER BY g.number;
END $$;
