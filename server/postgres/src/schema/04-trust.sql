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
UPDATE worker SET strikes = least(faults, 3), party = role || CASE WHEN EXISTS (SELECT 1 FROM invitation
    WHERE invitation.role = worker.role AND invitation.name <> 'guests') THEN '' ELSE '/' || name END;
DROP FUNCTION IF EXISTS blame(bigint, text);
