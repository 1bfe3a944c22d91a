-- Every query of these tables names one competition. Statistics taken when there was only one made Postgres read the whole table
-- for it, long after others had come. Without statistics of this column it always goes by the index. Those that were taken
-- already stay until they are cleared, which Postgres can since version 18.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['competitors', 'entries', 'teams', 'relay_teams', 'events', 'units'] LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN "competition_id" SET STATISTICS 0', name);
    IF current_setting('server_version_num')::int >= 180000 THEN
      EXECUTE format('SELECT pg_clear_attribute_stats(%L, %L, %L, false)', current_schema(), name, 'competition_id');
    END IF;
  END LOOP;
END
$$;
