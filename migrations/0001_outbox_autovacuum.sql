-- Rows of the outbox live for milliseconds: swept by their number, not by their share of a table that is nearly always empty,
-- or the index that finds the oldest one would grow with every save of a long day.
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
