-- Organizations that an operator removed, and the end of the audit log's entries: AUDIT_RETENTION_DAYS, or with their
-- organization. Older processes delete no entry, and read no removed organization.
-- runs beside: 20261123083700_kept_answers

-- CreateTable
CREATE TABLE "deleted_organization" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "rows" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "deleted_organization_pkey" PRIMARY KEY ("organization_id")
);

-- As before, and one thing more: a transaction that says so may delete entries. Only what removes an organization, or entries after their retention, says so.
CREATE OR REPLACE FUNCTION "guard_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    told text[] := ARRAY['outcome', 'status', 'details', 'created_id'] || TG_ARGV;
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF current_setting('entitlements.may_delete_audit_entries', true) = 'true' THEN
            RETURN OLD;
        END IF;
    END IF;
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
