CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"account_id" uuid,
	"account" text,
	"action" text NOT NULL,
	"competition_id" uuid,
	"target" text,
	"address" text,
	"request_id" text,
	"count" integer DEFAULT 1 NOT NULL,
	"counted" text,
	"detail" jsonb,
	CONSTRAINT "audit_counted_unique" UNIQUE("counted")
);
--> statement-breakpoint
CREATE INDEX "audit_by_time" ON "audit" USING btree ("at");--> statement-breakpoint
-- Entries stay as they were written, whoever asks. Three changes are allowed: what is counted within a minute is counted once more;
-- an erased person gets a pseudonym; and what is 400 days old goes.
CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	allowed audit;
BEGIN
	IF tg_op = 'DELETE' THEN
		IF old.at < now() - interval '400 days' THEN
			RETURN old;
		END IF;
	ELSIF tg_op = 'UPDATE' THEN
		allowed := old;
		IF old.counted IS NOT NULL AND new.count = old.count + 1 THEN
			allowed.count := new.count;
		END IF;
		IF new.account LIKE 'erased-%' AND new.address IS NULL THEN
			allowed.account := new.account;
			allowed.address := NULL;
		END IF;
		IF new.target LIKE 'erased-%' THEN
			allowed.target := new.target;
		END IF;
		IF new IS NOT DISTINCT FROM allowed THEN
			RETURN new;
		END IF;
	END IF;
	RAISE EXCEPTION 'the audit is append only' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION audit_append_only();
--> statement-breakpoint
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only();
