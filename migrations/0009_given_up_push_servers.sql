DROP TABLE "calendar_builds";--> statement-breakpoint
ALTER TABLE "push_servers" ADD COLUMN "given_up_at" timestamp with time zone;