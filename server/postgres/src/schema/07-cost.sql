-- Blocks on offer and deliveries come and go: whoever takes away a ladder, its terms or a worker takes these away
-- first, and to look for them again at each row costs a tenth of a block.
ALTER TABLE offer DROP CONSTRAINT offer_ladder_fkey, DROP CONSTRAINT offer_terms_fkey,
    DROP CONSTRAINT offer_worker_fkey;
ALTER TABLE inbox DROP CONSTRAINT inbox_ladder_fkey, DROP CONSTRAINT inbox_worker_fkey;
