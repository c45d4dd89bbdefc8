-- A number comes again after a failover that lost a write, and a token with it; a random value does not. Tokens that are
-- out end with this: sign in again. Sign-ins of browsers go on.
ALTER TABLE "user_account" ALTER COLUMN "token_generation" DROP DEFAULT;
ALTER TABLE "user_account" ALTER COLUMN "token_generation" TYPE UUID USING gen_random_uuid();
ALTER TABLE "user_account" ALTER COLUMN "token_generation" SET DEFAULT gen_random_uuid();

-- Entries of a person's log are found by their id alone while their owner may change.
CREATE UNIQUE INDEX "user_audit_event_audit_event_id_key" ON "user_audit_event"("audit_event_id");

-- A random ULID: 48 bits of time, 80 random bits. Not in SQL, which would be merged into the query and run once for all.
CREATE FUNCTION "random_ulid"("moment" TIMESTAMPTZ) RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    digits CONSTANT text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    -- The version and variant of a UUID are in its middle.
    hex text := replace(gen_random_uuid()::text, '-', '');
    bits text := (extract(epoch FROM moment) * 1000)::bigint::bit(50)::text || ('x' || left(hex, 12) || right(hex, 8))::bit(80)::text;
    ulid text := '';
BEGIN
    FOR place IN 0..25 LOOP
        ulid := ulid || substr(digits, substr(bits, place * 5 + 1, 5)::bit(5)::int + 1, 1);
    END LOOP;
    RETURN ulid;
END $$;

-- Until now, the id of an outside identity's account was a hash of its issuer and subject: whoever knew those had it.
CREATE TABLE "renamed_user" AS
    SELECT "user_id" AS "old_id", "random_ulid"("created_at") AS "new_id" FROM "user_account" WHERE "issuer" IS NOT NULL;
DROP FUNCTION "random_ulid";

UPDATE "user_account" t SET "user_id" = r."new_id" FROM "renamed_user" r WHERE t."user_id" = r."old_id";
UPDATE "member" t SET "user_id" = r."new_id" FROM "renamed_user" r WHERE t."user_id" = r."old_id";
UPDATE "user_membership" t SET "user_id" = r."new_id" FROM "renamed_user" r WHERE t."user_id" = r."old_id";
UPDATE "user_session" t SET "user_id" = r."new_id" FROM "renamed_user" r WHERE t."user_id" = r."old_id";
UPDATE "console_session" t SET "user_id" = r."new_id" FROM "renamed_user" r WHERE t."user_id" = r."old_id";
UPDATE "invite" t SET "bound_user_id" = r."new_id" FROM "renamed_user" r WHERE t."bound_user_id" = r."old_id";
ALTER TABLE "user_audit_event" DISABLE TRIGGER "user_audit_event_guard";
UPDATE "user_audit_event" t SET "user_id" = r."new_id" FROM "renamed_user" r WHERE t."user_id" = r."old_id";
ALTER TABLE "user_audit_event" ENABLE ALWAYS TRIGGER "user_audit_event_guard";
DROP TABLE "renamed_user";

-- As before, and one thing more: what an outside identity did before it had an account goes to that account, unchanged.
CREATE OR REPLACE FUNCTION "guard_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    told text[] := ARRAY['outcome', 'status', 'details', 'created_id'] || TG_ARGV;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD."outcome" = 'pending' AND NEW."outcome" <> 'pending' AND to_jsonb(NEW) - told = to_jsonb(OLD) - told THEN
            RETURN NEW;
        END IF;
        IF TG_TABLE_NAME = 'user_audit_event' THEN
            IF starts_with(OLD."user_id", 'unknown_') AND to_jsonb(NEW) - 'user_id' = to_jsonb(OLD) - 'user_id'
                AND EXISTS (SELECT FROM "user_account" u WHERE u."user_id" = NEW."user_id" AND u."issuer" IS NOT NULL) THEN
                RETURN NEW;
            END IF;
        END IF;
    END IF;
    RAISE EXCEPTION 'Entries of the audit log cannot be changed or deleted.' USING ERRCODE = 'restrict_violation';
END $$;
