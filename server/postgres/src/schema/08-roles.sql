-- Who comes in a role, and since when.
CREATE INDEX worker_role ON worker (role, began);
