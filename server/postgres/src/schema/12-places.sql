-- Who claims finds rows where they stand, so that nobody looks for one by its place, and a claimed block has an entry
-- in one index less.
ALTER TABLE offer DROP CONSTRAINT offer_place_key;
-- Whether a block is offered twice just now.
CREATE INDEX offer_second ON offer (ladder) WHERE copy = 1;

