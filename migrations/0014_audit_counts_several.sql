-- What is counted within a minute may be counted several times at once: a crowd of refused sign-ins is one statement. A count never
-- becomes smaller, and everything else stays as it was written.
CREATE OR REPLACE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	allowed audit;
BEGIN
	IF tg_op = 'DELETE' THEN
		IF old.at < now() - interval '400 days' THEN
			RETURN old;
		END IF;
	ELSIF tg_op = 'UPDATE' THEN
		allowed := old;
		IF old.counted IS NOT NULL AND new.count > old.count THEN
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
