CREATE TABLE "director_invitations" (
	"competition_id" uuid NOT NULL,
	"email" text NOT NULL,
	CONSTRAINT "director_invitations_competition_id_email_pk" PRIMARY KEY("competition_id","email")
);
--> statement-breakpoint
CREATE TABLE "sign_in_addresses" (
	"account_id" uuid NOT NULL,
	"address" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sign_in_addresses_account_id_address_pk" PRIMARY KEY("account_id","address")
);
--> statement-breakpoint
CREATE TABLE "sign_in_guesses" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"ready_at" timestamp with time zone,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "token_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "competitions" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "director_invitations" ADD CONSTRAINT "director_invitations_competition_id_competitions_id_fk" FOREIGN KEY ("competition_id") REFERENCES "public"."competitions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_addresses" ADD CONSTRAINT "sign_in_addresses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "director_invitations_by_email" ON "director_invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "sign_in_guesses_by_end" ON "sign_in_guesses" USING btree ("ends_at");--> statement-breakpoint
ALTER TABLE "competitions" ADD CONSTRAINT "competitions_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;