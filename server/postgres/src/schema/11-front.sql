-- What is long over costs nothing. Somebody's long look at the record, a backup say, keeps the rows of all blocks that
-- were offered and delivered since; neither who claims nor who delivers walks over them.

-- No free block is before it: not of a table, so that it has no old versions, and nobody waits for it. The coordinator
-- moves it on; what is given back moves it back at once.
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

-- Moves it on: over what was claimed since, or, as what comes back while it is moved may be missed, as a look at all
-- that is free has it.
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

-- No lease of a worker is before its oldest.
ALTER TABLE worker ADD oldest bigint NOT NULL DEFAULT 0;
DROP INDEX offer_worker;
CREATE INDEX offer_worker ON offer (worker, lease);

REVOKE ALL ON FUNCTION move_front_back(), move_front(boolean) FROM PUBLIC;
