-- What makes a block cheaper for the database.

-- What only the functions of workers call needs no rights and no search path of its own: each of them has both, and to
-- set them again costs more than what is done.

-- That a lease was given to a worker. In PL/pgSQL its plan is kept.
CREATE OR REPLACE FUNCTION proof(ladder bigint, id text, lease bigint, worker bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT encode(sha256(convert_to(concat_ws(' ', secret, $1, $2, $3, $4), 'UTF8')), 'hex') FROM agon.secret);
END $$;
ALTER FUNCTION known(uuid) SECURITY INVOKER RESET ALL;
ALTER FUNCTION deliver_one(worker, bigint, text, bigint, text, text, text) SECURITY INVOKER RESET ALL;

-- Their arguments differ in length, so that plans for just these would seem cheaper, and were made anew at each call.
ALTER FUNCTION worker_claim(uuid, integer, integer) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION worker_deliver(uuid, bigint[], text[], bigint[], text[], text[], text[])
    SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION worker_beat(uuid, integer) SET plan_cache_mode = force_generic_plan;

-- Blocks on offer and deliveries come and go: whoever takes away a ladder, its terms or a worker takes these away first,
-- and to look for them again at each row costs a tenth of a block.
ALTER TABLE offer DROP CONSTRAINT offer_ladder_fkey, DROP CONSTRAINT offer_terms_fkey,
    DROP CONSTRAINT offer_worker_fkey;
ALTER TABLE inbox DROP CONSTRAINT inbox_ladder_fkey, DROP CONSTRAINT inbox_worker_fkey;
