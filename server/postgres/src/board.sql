-- Blocks for workers on other machines: offered, leased, delivered. A worker's role may call the functions that begin
-- with worker_ and nothing else; each is one transaction and says no in one sentence. What is delivered waits in inbox
-- until the coordinator has replayed it by the rules.

CREATE TABLE terms (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ladder bigint NOT NULL REFERENCES ladder, game text NOT NULL,
    threads integer NOT NULL, content text NOT NULL);
CREATE INDEX terms_ladder ON terms (ladder, id);
CREATE TABLE board (
    ladder bigint PRIMARY KEY REFERENCES ladder, holder uuid, lease interval NOT NULL);
CREATE TABLE worker (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    name text NOT NULL, role text NOT NULL, build text NOT NULL, games text[] NOT NULL, rungs text[] NOT NULL,
    cores integer NOT NULL, jobs integer NOT NULL, wants integer NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'active',
    began timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now(), blocks bigint NOT NULL DEFAULT 0,
    voids bigint NOT NULL DEFAULT 0, late bigint NOT NULL DEFAULT 0, faults bigint NOT NULL DEFAULT 0,
    declined bigint[] NOT NULL DEFAULT '{}', why text);
CREATE INDEX worker_name ON worker (name);
CREATE TABLE ban (name text PRIMARY KEY);
CREATE TABLE invitation (name text PRIMARY KEY, role text NOT NULL);
CREATE TABLE refusal (
    worker bigint NOT NULL REFERENCES worker, what text NOT NULL, told boolean NOT NULL DEFAULT false,
    at timestamptz NOT NULL DEFAULT now());
CREATE INDEX refusal_worker ON refusal (worker) WHERE NOT told;
CREATE TABLE offer (
    ladder bigint NOT NULL REFERENCES ladder, id text NOT NULL, place bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    holder uuid NOT NULL, terms bigint NOT NULL REFERENCES terms, content text NOT NULL, lease bigint,
    worker bigint REFERENCES worker, until timestamptz, PRIMARY KEY (ladder, id));
CREATE INDEX offer_worker ON offer (worker);
CREATE SEQUENCE offer_lease;
CREATE TABLE inbox (
    ladder bigint NOT NULL REFERENCES ladder, id text NOT NULL, worker bigint NOT NULL REFERENCES worker, content text,
    cause text, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (ladder, id));
ALTER TABLE inbox ALTER content SET STORAGE EXTERNAL;
CREATE TABLE played_by (
    ladder bigint NOT NULL REFERENCES ladder, id text NOT NULL, worker bigint NOT NULL REFERENCES worker,
    PRIMARY KEY (ladder, id));
CREATE TABLE file (hash text PRIMARY KEY, bytes bytea NOT NULL);
ALTER TABLE file ALTER bytes SET STORAGE EXTERNAL;
CREATE TABLE secret (secret uuid NOT NULL);
INSERT INTO secret VALUES (gen_random_uuid());
ALTER TABLE offer SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
ALTER TABLE inbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- That a lease was given to a worker: nobody else can make it, and it outlives the lease.
CREATE FUNCTION proof(ladder bigint, id text, lease bigint, worker bigint) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
    SELECT encode(sha256(convert_to(concat_ws(' ', secret, $1, $2, $3, $4), 'UTF8')), 'hex') FROM secret
$$;

-- The worker with a key, heard of now; the sentence why it is not answered otherwise.
CREATE FUNCTION known(given uuid) RETURNS worker
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker;
BEGIN
    UPDATE worker SET seen = clock_timestamp() WHERE worker.key = given RETURNING worker.* INTO me;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no worker has this key; help: start the worker again' USING ERRCODE = 'AG001';
    END IF;
    IF me.state = 'banned' THEN
        RAISE EXCEPTION 'worker % is banned here; help: ask whoever runs the ladder', me.name USING ERRCODE = 'AG001';
    END IF;
    RETURN me;
END $$;

-- Counts a refusal against a worker and says it. Who is refused three times gets nothing more to play.
CREATE FUNCTION blame(guilty bigint, sentence text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
BEGIN
    UPDATE worker SET faults = faults + 1, why = sentence,
        state = CASE WHEN faults >= 2 AND state = 'active' THEN 'draining' ELSE state END WHERE worker.id = guilty;
    RETURN sentence;
END $$;

CREATE FUNCTION worker_hello(protocol integer, name text, build text, games text[], cores integer, jobs integer,
    rungs text[]) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE made uuid;
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
    INSERT INTO worker (name, role, build, games, rungs, cores, jobs)
        VALUES (name, session_user, build, games, rungs, cores, jobs) RETURNING worker.key INTO made;
    RETURN made;
END $$;

CREATE FUNCTION worker_claim(key uuid, many integer, wants integer)
RETURNS TABLE (ladder bigint, block text, lease bigint, proof text, terms bigint, content text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE worker SET wants = least(greatest(worker_claim.wants, 1), 1024) WHERE id = me.id;
    IF me.state <> 'active' THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH taken AS (
        UPDATE offer SET worker = me.id, lease = nextval('offer_lease'), until = clock_timestamp() + board.lease
        FROM board WHERE board.ladder = offer.ladder AND offer.place = ANY (ARRAY(
            SELECT free.place FROM offer AS free
                JOIN board AS held ON held.ladder = free.ladder AND held.holder = free.holder
                JOIN terms AS told ON told.id = free.terms
            WHERE (free.worker IS NULL OR free.until < clock_timestamp()) AND told.game = ANY (me.games)
                AND told.threads <= me.cores AND free.terms <> ALL (me.declined)
            ORDER BY free.place LIMIT least(greatest(many, 0), 256) FOR UPDATE OF free SKIP LOCKED))
        RETURNING offer.*)
    SELECT t.ladder, t.id, t.lease, proof(t.ladder, t.id, t.lease, me.id), t.terms, t.content
    FROM taken AS t ORDER BY t.place;
END $$;

-- One delivery: null, or why it was refused. What comes late or twice does no harm and is no fault.
CREATE FUNCTION deliver_one(me worker, ladder bigint, id text, lease bigint, proof text, content text, cause text)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE
    held offer;
    shown text := left(regexp_replace(coalesce(id, ''), '[^0-9A-Za-z-]', '?', 'g'), 40);
    sentence text;
BEGIN
    IF deliver_one.proof IS DISTINCT FROM agon.proof(ladder, id, lease, me.id) THEN
        RETURN blame(me.id, format('block %s was never leased to this worker', shown));
    END IF;
    SELECT * INTO held FROM offer WHERE offer.ladder = deliver_one.ladder AND offer.id = deliver_one.id FOR UPDATE;
    IF NOT FOUND THEN
        sentence := format('block %s was delivered before', shown);
    ELSIF held.lease IS DISTINCT FROM deliver_one.lease THEN
        sentence := format('the lease of block %s is over, and it was given to another worker', shown);
    END IF;
    IF sentence IS NOT NULL THEN
        UPDATE worker SET late = late + 1 WHERE worker.id = me.id;
        RETURN sentence;
    END IF;
    IF octet_length(coalesce(content, '')) > 1048576 OR octet_length(coalesce(cause, '')) > 2000
        OR (content IS NULL) = (cause IS NULL) THEN
        UPDATE offer SET worker = NULL, lease = NULL, until = NULL WHERE offer.place = held.place;
        RETURN blame(me.id, format('what came of block %s has more than 1 MiB, or is nothing', shown));
    END IF;
    INSERT INTO inbox (ladder, id, worker, content, cause)
        VALUES (deliver_one.ladder, deliver_one.id, me.id, deliver_one.content, deliver_one.cause)
        ON CONFLICT DO NOTHING;
    DELETE FROM offer WHERE offer.place = held.place;
    RETURN NULL;
END $$;

CREATE FUNCTION worker_deliver(key uuid, ladders bigint[], ids text[], leases bigint[], proofs text[], contents text[],
    causes text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    IF cardinality(ids) > 256 THEN
        RAISE EXCEPTION 'at most 256 blocks are delivered at once' USING ERRCODE = 'AG001';
    END IF;
    RETURN QUERY SELECT deliver_one(me, g.ladder, g.id, g.lease, g.proof, g.content, g.cause)
        FROM unnest(ladders, ids, leases, proofs, contents, causes) AS g (ladder, id, lease, proof, content, cause);
END $$;

CREATE FUNCTION worker_beat(key uuid, wants integer)
RETURNS TABLE (drain boolean, lease double precision, refusals text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE worker SET wants = least(greatest(worker_beat.wants, 1), 1024) WHERE id = me.id;
    UPDATE offer SET until = clock_timestamp() + board.lease FROM board
        WHERE board.ladder = offer.ladder AND offer.worker = me.id;
    RETURN QUERY
    WITH told AS (UPDATE refusal SET told = true WHERE refusal.worker = me.id AND NOT refusal.told RETURNING what)
    SELECT me.state = 'draining',
        extract(epoch FROM coalesce((SELECT min(b.lease) FROM board AS b WHERE b.holder IS NOT NULL), '60 s'))::float8,
        coalesce((SELECT array_agg(what) FROM told), '{}');
END $$;

CREATE FUNCTION worker_terms(key uuid, wanted bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
BEGIN
    PERFORM known(key);
    RETURN (SELECT content FROM terms WHERE id = wanted);
END $$;

CREATE FUNCTION worker_file(key uuid, wanted text) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
BEGIN
    PERFORM known(key);
    RETURN (SELECT bytes FROM file WHERE hash = wanted);
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

CREATE FUNCTION worker_leave(key uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    UPDATE offer SET worker = NULL, lease = NULL, until = NULL WHERE offer.worker = me.id;
    UPDATE worker SET state = 'gone' WHERE id = me.id;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA agon FROM PUBLIC;
