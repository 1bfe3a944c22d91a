CREATE TABLE "deleted_competitions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"year" integer NOT NULL,
	"country_id" text NOT NULL,
	"slug" text NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"address" text NOT NULL,
	"city" text NOT NULL,
	"revision" bigint NOT NULL,
	"deleted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "deleted_competitions_by_year" ON "deleted_competitions" USING btree ("year","country_id");