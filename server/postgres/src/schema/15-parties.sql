-- Each worker is a party of its own, by the key that it made at its first join: `party_of`.
DROP FUNCTION IF EXISTS party_of(text, text);
DROP FUNCTION IF EXISTS worker_hello(integer, text, text, text[], integer, integer, text[]);
-- Two others came to the same result of a block, and this worker to another one; or its blocks were voided.
ALTER TABLE worker ADD differed boolean NOT NULL DEFAULT false;
CREATE INDEX worker_struck ON worker (role) WHERE strikes > 0;
-- The session of the server over which a worker was heard last.
ALTER TABLE worker ADD session integer;
-- When the coordinator looked last: leases end only while somebody watches them.
ALTER TABLE board ADD looked timestamptz;
-- A delivery by a lease up to this one does not count any more: somebody else is to play the block.
ALTER TABLE offer ADD after bigint NOT NULL DEFAULT 0;
-- What the server checks the password of an invited role against; null where the record's owner may not read it.
ALTER TABLE invitation ADD verifier text;
-- Clients, by their numbers, that a worker's machine cannot open; and who plays in a block that is offered.
ALTER TABLE worker ADD lacks bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE offer ADD lineup bigint[];
