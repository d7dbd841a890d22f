-- The results of some thousand blocks in one value each. Whatever of blocks changes or goes takes the packs of its
-- ladder with it; they are made again when the ladder goes on.

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
REVOKE ALL ON FUNCTION unpack() FROM PUBLIC;
CREATE TRIGGER unpack_changed AFTER UPDATE ON block REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION unpack();
CREATE TRIGGER unpack_gone AFTER DELETE ON block REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION unpack();
