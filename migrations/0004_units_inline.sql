-- A unit's row holds its record and its text, a few kilobytes each. By default Postgres compresses rows above two and puts
-- them aside, which costs more than half of the time of writing them. Up to a page they stay where they are.
ALTER TABLE "units" SET (toast_tuple_target = 8160);
