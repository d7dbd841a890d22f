-- Names are chosen by strangers: a ban is of a line, or of a machine by the key that it made at its first join.
CREATE TABLE banned_machine (party text PRIMARY KEY);
INSERT INTO banned_machine SELECT DISTINCT party FROM worker WHERE state = 'banned' AND NOT EXISTS
    (SELECT 1 FROM ban JOIN invitation USING (name) WHERE invitation.role = worker.role);
DELETE FROM ban WHERE name NOT IN (SELECT name FROM invitation);
