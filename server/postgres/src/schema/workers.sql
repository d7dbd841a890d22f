-- Blocks for workers on other machines: offered, leased, delivered.

CREATE TABLE terms (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ladder bigint NOT NULL REFERENCES ladder, game text NOT NULL,
    threads integer NOT NULL, content text NOT NULL);
CREATE INDEX terms_ladder ON terms (ladder, id);

-- `looked` is when the coordinator looked last: leases end only while somebody watches them.
CREATE TABLE exchange (
    ladder bigint PRIMARY KEY REFERENCES ladder, holder uuid, lease interval NOT NULL, looked timestamptz);

-- `party` is the machine behind a worker (`party_of`), and `session` the connection over which it was heard last. No
-- lease of a worker is before `oldest`. `differed`: two others came to one result of a block, and this worker to
-- another; or its blocks were voided. `speed`, `spread` and `class` tell how fast its machine is against the reference,
-- and its processor's name. `lacks` are clients that it cannot open.
CREATE TABLE worker (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    name text NOT NULL, role text NOT NULL, build text NOT NULL, games text[] NOT NULL, layers text[] NOT NULL,
    cores integer NOT NULL, jobs integer NOT NULL, wants integer NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'active',
    began timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now(), blocks bigint NOT NULL DEFAULT 0,
    voids bigint NOT NULL DEFAULT 0, late bigint NOT NULL DEFAULT 0, faults bigint NOT NULL DEFAULT 0,
    declined bigint[] NOT NULL DEFAULT '{}', why text, party text NOT NULL DEFAULT '',
    strikes integer NOT NULL DEFAULT 0, speed double precision, spread double precision,
    class text NOT NULL DEFAULT '', oldest bigint NOT NULL DEFAULT 0, differed boolean NOT NULL DEFAULT false,
    session integer, lacks bigint[] NOT NULL DEFAULT '{}');
CREATE INDEX worker_name ON worker (name);
CREATE INDEX worker_party ON worker (party);
CREATE INDEX worker_role ON worker (role, began);
CREATE INDEX worker_struck ON worker (role) WHERE strikes > 0;

-- Strangers choose their names, so a ban is of a line, or of a machine by the key that it made at its first join.
CREATE TABLE ban (name text PRIMARY KEY);
CREATE TABLE banned_machine (party text PRIMARY KEY);

-- `verifier` is what the server checks the password of an invited role against; null if the record's owner may not read
-- it.
CREATE TABLE invitation (name text PRIMARY KEY, role text NOT NULL, verifier text);
CREATE TABLE refusal (
    worker bigint NOT NULL REFERENCES worker, what text NOT NULL, told boolean NOT NULL DEFAULT false,
    at timestamptz NOT NULL DEFAULT now());
CREATE INDEX refusal_worker ON refusal (worker) WHERE NOT told;

-- Offers and deliveries come and go. Code that deletes a ladder, its terms or a worker deletes theirs first: foreign
-- keys would check each row again, which costs a tenth of a block.
-- `copy` is 0, and 1 where a block takes long and another worker plays it too; `not_to` are parties that may not play
-- it; `lineup` are the clients that play in it. A delivery by a lease up to `after` does not count: another worker is to
-- play the block. Claims find rows by `ctid`, so that `place` needs no index of its own.
CREATE TABLE offer (
    ladder bigint NOT NULL, id text NOT NULL, place bigint GENERATED ALWAYS AS IDENTITY, holder uuid NOT NULL,
    terms bigint NOT NULL, content text NOT NULL, lease bigint, worker bigint, until timestamptz,
    copy smallint NOT NULL DEFAULT 0, not_to text[], since timestamptz, after bigint NOT NULL DEFAULT 0,
    lineup bigint[], PRIMARY KEY (ladder, id, copy));
CREATE INDEX offer_worker ON offer (worker, lease);
CREATE INDEX offer_free ON offer (place) WHERE worker IS NULL;
CREATE INDEX offer_second ON offer (ladder) WHERE copy = 1;
CREATE SEQUENCE offer_lease;

-- A delivery is a result or a cause, and neither is large, whichever function takes it.
CREATE TABLE inbox (
    ladder bigint NOT NULL, id text NOT NULL, worker bigint NOT NULL, content text, cause text,
    at timestamptz NOT NULL DEFAULT now(), number bigint GENERATED ALWAYS AS IDENTITY, took double precision,
    PRIMARY KEY (ladder, id),
    CONSTRAINT inbox_sizes CHECK ((content IS NULL) <> (cause IS NULL)
        AND coalesce(octet_length(content) <= 1048576, octet_length(cause) <= 2000)));
ALTER TABLE inbox ALTER content SET STORAGE EXTERNAL;
CREATE INDEX inbox_order ON inbox (ladder, number);
ALTER TABLE offer SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
ALTER TABLE inbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE TABLE played_by (
    ladder bigint NOT NULL REFERENCES ladder, id text NOT NULL, worker bigint NOT NULL REFERENCES worker,
    PRIMARY KEY (ladder, id));
CREATE INDEX played_by_worker ON played_by (worker);
CREATE TABLE file (hash text PRIMARY KEY, bytes bytea NOT NULL);
ALTER TABLE file ALTER bytes SET STORAGE EXTERNAL;
CREATE TABLE secret (secret uuid NOT NULL);
INSERT INTO secret VALUES (gen_random_uuid());

-- No free block is before the front. A long read of the record, such as a backup, keeps the rows of all blocks that were
-- offered and delivered since it began, and neither claims nor deliveries may walk over them. The front is a sequence,
-- as that keeps no old versions and nobody waits for it. The coordinator moves it on; a block that is given back moves
-- it back at once.
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

-- Moves the front on over blocks that were claimed since. A block that comes back meanwhile may be missed; a look at all
-- free blocks finds it.
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
