ALTER TABLE "competitions" ADD COLUMN "private_text" text;--> statement-breakpoint
-- Fields beyond the published ones are for those who may edit, but for the few that readers of calendars look for.
WITH beyond AS (
  SELECT id FROM "competitions" WHERE EXISTS (
    SELECT FROM json_object_keys("extra") AS name WHERE name <> ALL (string_to_array(
      'english_name type contact_name country_ioc wa_rankings_category wa_id num_competitors num_results ot_supported is_demo url home_page_url', ' '))))
UPDATE "competitions" SET "private_text" = "record_text", "record_text" = (
  SELECT '{' || string_agg(to_json(key)::text || ':' || value::text, ',' ORDER BY position) || '}'
  FROM json_each("record_text"::json) WITH ORDINALITY AS field (key, value, position)
  WHERE NOT EXISTS (SELECT FROM json_object_keys("extra") AS name WHERE name = key AND name <> ALL (string_to_array(
    'english_name type contact_name country_ioc wa_rankings_category wa_id num_competitors num_results ot_supported is_demo url home_page_url', ' '))))
WHERE id IN (SELECT id FROM beyond);
