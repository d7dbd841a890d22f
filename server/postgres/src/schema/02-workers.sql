-- Blocks for workers on other machines: offered, leased, delivered.

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
