CREATE SEQUENCE "public"."revisions" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "account_groups" (
	"account_id" uuid NOT NULL,
	"group_name" text NOT NULL,
	CONSTRAINT "account_groups_account_id_group_name_pk" PRIMARY KEY("account_id","group_name")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "calendar_builds" (
	"scheduled_for" timestamp with time zone PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "competition_directors" (
	"competition_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	CONSTRAINT "competition_directors_competition_id_account_id_pk" PRIMARY KEY("competition_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "competitions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"full_name" text NOT NULL,
	"short_name" text NOT NULL,
	"slug" text NOT NULL,
	"name_local" text NOT NULL,
	"country_id" text NOT NULL,
	"address" text NOT NULL,
	"city" text NOT NULL,
	"venue_id" uuid,
	"latitude" double precision,
	"longitude" double precision,
	"altitude" double precision,
	"date" date NOT NULL,
	"finish_date" date NOT NULL,
	"year" integer NOT NULL,
	"wa_rankings_category_id" integer,
	"age_groups" json,
	"national_id" text NOT NULL,
	"basic_description" text NOT NULL,
	"contact_details" text NOT NULL,
	"organiser_id" uuid,
	"website" text,
	"entry_link" text,
	"results_link" text,
	"extra" json NOT NULL,
	"name_key" text NOT NULL,
	"push_notifications" boolean DEFAULT false NOT NULL,
	"record_text" text NOT NULL,
	"revision" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "competitions_address" UNIQUE("country_id","year","slug")
);
--> statement-breakpoint
CREATE TABLE "competitors" (
	"competition_id" uuid NOT NULL,
	"competitor_id" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"date_of_birth" date,
	"gender" text,
	"team_id" text,
	"position" integer NOT NULL,
	"record" json NOT NULL,
	"sent_hash" text,
	CONSTRAINT "competitors_competition_id_competitor_id_pk" PRIMARY KEY("competition_id","competitor_id")
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"competition_id" uuid NOT NULL,
	"competitor_id" text NOT NULL,
	"position" integer NOT NULL,
	"event_id" text NOT NULL,
	"event_code" text DEFAULT '' NOT NULL,
	CONSTRAINT "entries_competition_id_competitor_id_position_pk" PRIMARY KEY("competition_id","competitor_id","position")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"competition_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"event_code" text DEFAULT '' NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"parent" text,
	"rounds" text,
	"position" integer NOT NULL,
	"record" json NOT NULL,
	"sent_hash" text,
	CONSTRAINT "events_competition_id_event_id_pk" PRIMARY KEY("competition_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "former_addresses" (
	"country_id" text NOT NULL,
	"year" integer NOT NULL,
	"slug" text NOT NULL,
	"competition_id" uuid NOT NULL,
	CONSTRAINT "former_addresses_country_id_year_slug_pk" PRIMARY KEY("country_id","year","slug")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"account_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"answer" json,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_account_id_key_pk" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"competition_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"event" text NOT NULL,
	"data" text NOT NULL,
	"coalesce" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"dead" boolean DEFAULT false NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "override_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"name_key" text NOT NULL,
	"date" date NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "push_servers" (
	"address" text PRIMARY KEY NOT NULL,
	"instance" uuid NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "relay_teams" (
	"competition_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"relay_team_id" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"team_id" text,
	"position" integer NOT NULL,
	"record" json NOT NULL,
	"sent_hash" text,
	CONSTRAINT "relay_teams_competition_id_event_id_relay_team_id_pk" PRIMARY KEY("competition_id","event_id","relay_team_id")
);
--> statement-breakpoint
CREATE TABLE "service_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"competition_id" uuid NOT NULL,
	"team_id" text NOT NULL,
	"team_name" text DEFAULT '' NOT NULL,
	"position" integer NOT NULL,
	"record" json NOT NULL,
	"sent_hash" text,
	CONSTRAINT "teams_competition_id_team_id_pk" PRIMARY KEY("competition_id","team_id")
);
--> statement-breakpoint
CREATE TABLE "units" (
	"competition_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"round" integer NOT NULL,
	"heat" integer NOT NULL,
	"status" text NOT NULL,
	"results_status" text NOT NULL,
	"record" json NOT NULL,
	"sent_hash" text,
	"text" text NOT NULL,
	"content_hash" text NOT NULL,
	"revision" bigint NOT NULL,
	"render_version" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "units_competition_id_event_id_round_heat_pk" PRIMARY KEY("competition_id","event_id","round","heat")
);
--> statement-breakpoint
ALTER TABLE "account_groups" ADD CONSTRAINT "account_groups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "competition_directors" ADD CONSTRAINT "competition_directors_competition_id_competitions_id_fk" FOREIGN KEY ("competition_id") REFERENCES "public"."competitions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "competition_directors" ADD CONSTRAINT "competition_directors_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "competitors" ADD CONSTRAINT "competitors_competition_id_competitions_id_fk" FOREIGN KEY ("competition_id") REFERENCES "public"."competitions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_competition_id_competitor_id_competitors_competition_id_competitor_id_fk" FOREIGN KEY ("competition_id","competitor_id") REFERENCES "public"."competitors"("competition_id","competitor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_competition_id_competitions_id_fk" FOREIGN KEY ("competition_id") REFERENCES "public"."competitions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_competition_id_competitions_id_fk" FOREIGN KEY ("competition_id") REFERENCES "public"."competitions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relay_teams" ADD CONSTRAINT "relay_teams_competition_id_competitions_id_fk" FOREIGN KEY ("competition_id") REFERENCES "public"."competitions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_competition_id_competitions_id_fk" FOREIGN KEY ("competition_id") REFERENCES "public"."competitions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "units" ADD CONSTRAINT "units_competition_id_event_id_events_competition_id_event_id_fk" FOREIGN KEY ("competition_id","event_id") REFERENCES "public"."events"("competition_id","event_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "competition_directors_by_account" ON "competition_directors" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "competitions_by_date" ON "competitions" USING btree ("date","full_name","id");--> statement-breakpoint
CREATE INDEX "competitions_by_name" ON "competitions" USING btree ("name_key","date");--> statement-breakpoint
CREATE INDEX "former_addresses_by_competition" ON "former_addresses" USING btree ("competition_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("id") WHERE not dead;--> statement-breakpoint
CREATE INDEX "outbox_snapshots" ON "outbox" USING btree ("channel","id") WHERE "coalesce" and not dead;--> statement-breakpoint
CREATE INDEX "units_by_revision" ON "units" USING btree ("competition_id","revision");