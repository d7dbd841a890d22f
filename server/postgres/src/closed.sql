-- What PostgreSQL lets everybody do who may connect, and no worker needs: locks that nothing is behind, objects beside
-- the tables, an end to the sessions of others who share a role, and programs of one's own. NOTIFY cannot be taken away.
DO $$
DECLARE one regprocedure;
BEGIN
    FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
        AND proname ~ '^(pg_(try_)?advisory_|lo_|loread$|lowrite$|pg_notify$|pg_sleep|pg_(cancel|terminate)_backend$)'
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one);
    END LOOP;
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;
REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
-- The bound on temporary files is for guests.
DO $$ BEGIN EXECUTE format('ALTER ROLE %I SET temp_file_limit = -1', current_user); END $$;
