-- Ladders, who takes part, and what was played. A match keeps its steps in fewer bytes where that helps; `step_bytes`
-- is their length before (`shrink.rs`). Ids of blocks are compared byte by byte, so that their index finds those with
-- one beginning.
CREATE TABLE ladder (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, game text NOT NULL,
    seats integer NOT NULL, seed bigint NOT NULL, seed_drawn boolean NOT NULL, terms text NOT NULL,
    settings text NOT NULL, begun timestamptz NOT NULL DEFAULT now(), used bigint NOT NULL, frozen bigint,
    ended boolean NOT NULL DEFAULT false, digest bigint NOT NULL);
CREATE SEQUENCE ladder_used;
CREATE TABLE entrant (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ladder bigint NOT NULL REFERENCES ladder, hash text NOT NULL,
    options text NOT NULL, copy integer NOT NULL, label text NOT NULL, file text NOT NULL, refused text,
    team text NOT NULL, version integer NOT NULL, present boolean NOT NULL, digest bigint NOT NULL,
    UNIQUE (ladder, hash, options, copy));
CREATE TABLE suspension (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ladder bigint NOT NULL REFERENCES ladder,
    entrant bigint NOT NULL REFERENCES entrant, kind text NOT NULL, by_hand boolean NOT NULL, why text NOT NULL,
    since bigint NOT NULL, schedule text NOT NULL, at timestamptz NOT NULL DEFAULT now(), let_back timestamptz,
    counted bigint NOT NULL DEFAULT 0, digest bigint NOT NULL);
CREATE INDEX suspension_ladder ON suspension (ladder);
CREATE TABLE excuse (
    ladder bigint NOT NULL REFERENCES ladder, entrant bigint NOT NULL REFERENCES entrant, cause text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(), digest bigint NOT NULL);
CREATE INDEX excuse_ladder ON excuse (ladder);
CREATE TABLE look (
    hash text NOT NULL, context text NOT NULL, look text NOT NULL, digest bigint NOT NULL, PRIMARY KEY (hash, context));
CREATE TABLE stage (
    ladder bigint NOT NULL REFERENCES ladder, number integer NOT NULL, closed boolean NOT NULL, content text NOT NULL,
    digest bigint NOT NULL, PRIMARY KEY (ladder, number, closed));
CREATE TABLE block (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ladder bigint NOT NULL REFERENCES ladder,
    id text COLLATE "C" NOT NULL, setting bigint NOT NULL, opening bigint NOT NULL, digest bigint NOT NULL,
    UNIQUE (ladder, id));
CREATE INDEX block_order ON block (ladder, number);
CREATE TABLE match (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, block bigint NOT NULL REFERENCES block, id text NOT NULL,
    ending text NOT NULL, plies integer NOT NULL, started bigint NOT NULL, wall_us bigint NOT NULL, start bigint NOT NULL,
    moves_hash bigint NOT NULL, steps bytea NOT NULL, details text NOT NULL, outputs text, step_bytes integer);
ALTER TABLE match ALTER steps SET STORAGE EXTERNAL;
CREATE INDEX match_block ON match (block);
CREATE TABLE seat (
    match bigint NOT NULL REFERENCES match, seat smallint NOT NULL, entrant bigint NOT NULL REFERENCES entrant,
    score bigint NOT NULL, rank integer NOT NULL, fault text, notices integer NOT NULL, PRIMARY KEY (match, seat));
CREATE TABLE void (
    ladder bigint NOT NULL REFERENCES ladder, block text NOT NULL, cause text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(), digest bigint NOT NULL);
CREATE INDEX void_ladder ON void (ladder);

-- A pack has the results of some thousand blocks in one value. A change to the blocks of a ladder deletes all its
-- packs; they are made again when the ladder goes on.
CREATE TABLE pack (
    ladder bigint NOT NULL REFERENCES ladder, last bigint NOT NULL, results bytea NOT NULL,
    PRIMARY KEY (ladder, last));
ALTER TABLE pack ALTER results SET STORAGE EXTERNAL;
CREATE FUNCTION unpack() RETURNS trigger
LANGUAGE plpgsql SET search_path = agon, pg_temp AS $$
BEGIN
    DELETE FROM pack WHERE pack.ladder IN (SELECT gone.ladder FROM gone);
    RETURN NULL;
END $$;
CREATE TRIGGER unpack_changed AFTER UPDATE ON block REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION unpack();
CREATE TRIGGER unpack_gone AFTER DELETE ON block REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION unpack();
