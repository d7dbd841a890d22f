-- How fast a worker's machine is against the reference, and what its processor calls itself: said once, after hello.
-- played_by tells which worker played a block, so that both stand with each of its blocks.

ALTER TABLE worker ADD speed double precision, ADD spread double precision, ADD class text NOT NULL DEFAULT '';

CREATE FUNCTION worker_speed(key uuid, speed double precision, spread double precision, class text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = agon, pg_temp AS $$
DECLARE me worker := known(key);
BEGIN
    IF (worker_speed.speed > 0 AND worker_speed.speed < 1e6) IS NOT TRUE
        OR (worker_speed.spread >= 0 AND worker_speed.spread < 1e6) IS NOT TRUE
        OR (worker_speed.class ~ '^[ -~]{0,60}$') IS NOT TRUE THEN
        RAISE EXCEPTION 'worker % says of its speed what cannot be; help: use the same agon on both machines', me.name
            USING ERRCODE = 'AG001';
    END IF;
    UPDATE worker SET speed = worker_speed.speed, spread = worker_speed.spread, class = worker_speed.class
        WHERE id = me.id;
END $$;

REVOKE ALL ON FUNCTION worker_speed(uuid, double precision, double precision, text) FROM PUBLIC;
-- Who was invited before may say it, too.
DO $$
DECLARE invited text;
BEGIN
    FOR invited IN SELECT DISTINCT role FROM invitation JOIN pg_roles ON rolname = role LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION agon.worker_speed(uuid, double precision, double precision, text) TO %I',
            invited);
    END LOOP;
END $$;
