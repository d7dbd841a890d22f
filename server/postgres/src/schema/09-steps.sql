-- How many bytes the steps of a match have that are kept in fewer: `shrink.rs`. Those of before are kept as they are.
ALTER TABLE match ADD step_bytes integer;
ALTER TABLE match ALTER steps SET STORAGE EXTERNAL;
