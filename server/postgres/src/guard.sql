-- What keeps one who was invited from standing in the way of others.

-- Who only reads is looked up and not locked: a large file over a slow line keeps nobody waiting.
CREATE FUNCTION let_read(given uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM agon.worker WHERE worker.key = given AND state <> 'banned';
    IF NOT FOUND THEN
        PERFORM agon.known(given);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION worker_terms(key uuid, wanted bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
BEGIN
    PERFORM let_read(key);
    RETURN (SELECT content FROM terms WHERE id = wanted);
END $$;

CREATE OR REPLACE FUNCTION worker_file(key uuid, wanted text) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
BEGIN
    PERFORM let_read(key);
    RETURN (SELECT bytes FROM file WHERE hash = wanted);
END $$;

CREATE INDEX worker_role ON worker (role, began);

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
    -- A row a start, for a week: whoever starts again and again would fill the disk.
    IF EXISTS (SELECT 1 FROM invitation WHERE invitation.role = session_user)
        AND (SELECT count(*) FROM worker WHERE worker.role = session_user
            AND worker.began > now() - interval '1 hour') >= 1000 THEN
        RAISE EXCEPTION 'a thousand workers came as % in the last hour; help: invite others under another name: '
            'agon workers --invite NAME', session_user USING ERRCODE = 'AG001';
    END IF;
    INSERT INTO worker (name, role, build, games, rungs, cores, jobs, party)
        VALUES (name, session_user, build, games, rungs, cores, jobs, its) RETURNING worker.key INTO made;
    RETURN made;
END $$;

-- As before; and nobody holds more than it could have asked for in all.
CREATE OR REPLACE FUNCTION worker_claim(key uuid, many integer, wants integer)
RETURNS TABLE (ladder bigint, block text, lease bigint, proof text, terms bigint, content text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    me worker := known(key);
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
    room := 1024 - (SELECT count(*) FROM offer WHERE offer.worker = me.id);
    RETURN QUERY
    WITH taken AS (
        UPDATE offer SET worker = me.id, lease = nextval('offer_lease'), since = clock_timestamp(),
            until = clock_timestamp() + board.lease
        FROM board WHERE board.ladder = offer.ladder AND offer.place = ANY (ARRAY(
            SELECT free.place FROM offer AS free
            WHERE free.worker IS NULL AND free.holder = ANY (holders) AND free.terms = ANY (wanted)
                AND (free.not_to IS NULL OR me.party <> ALL (free.not_to))
            ORDER BY free.place LIMIT greatest(least(many, 256, room), 0) FOR UPDATE SKIP LOCKED))
        RETURNING offer.*)
    SELECT t.ladder, t.id, t.lease, proof(t.ladder, t.id, t.lease, me.id), t.terms, t.content
    FROM taken AS t ORDER BY t.place;
END $$;

REVOKE ALL ON FUNCTION let_read(uuid) FROM PUBLIC;
