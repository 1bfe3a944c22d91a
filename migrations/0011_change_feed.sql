CREATE TABLE "change_feed" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"epoch" text NOT NULL,
	"identity" text NOT NULL,
	"last" bigint DEFAULT 0 NOT NULL,
	"purged" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "change_hints" (
	"competition_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "changed_competitions" (
	"competition_id" uuid PRIMARY KEY NOT NULL,
	"year" integer NOT NULL,
	"country_id" text NOT NULL,
	"slug" text NOT NULL,
	"countries" text[] NOT NULL,
	"revision" bigint NOT NULL,
	"units_seen" bigint NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "changes" (
	"competition_id" uuid NOT NULL,
	"type" text NOT NULL,
	"event_id" text NOT NULL,
	"object_id" text NOT NULL,
	"round" integer NOT NULL,
	"heat" integer NOT NULL,
	"number" bigint NOT NULL,
	"version" bigint NOT NULL,
	"revision" bigint NOT NULL,
	"deleted" boolean NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "changes_competition_id_type_event_id_object_id_round_heat_pk" PRIMARY KEY("competition_id","type","event_id","object_id","round","heat"),
	CONSTRAINT "changes_by_number" UNIQUE("number")
);
--> statement-breakpoint
CREATE INDEX "changes_deleted" ON "changes" USING btree ("updated_at") WHERE deleted;
--> statement-breakpoint
-- Of no database yet: the first process to start makes the epoch of this one, and gives everything that is stored its number.
INSERT INTO "change_feed" ("epoch", "identity") VALUES (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), '');
--> statement-breakpoint
-- Rows live for milliseconds, see 0001.
ALTER TABLE "change_hints" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
-- See 0005: every query of this table by competition names a few of them.
ALTER TABLE "changes" ALTER COLUMN "competition_id" SET STATISTICS 0;
