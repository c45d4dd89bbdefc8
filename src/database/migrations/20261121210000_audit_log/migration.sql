-- AlterTable
ALTER TABLE "audit_event" ALTER COLUMN "params" SET DATA TYPE JSONB USING "params"::jsonb;

-- CreateTable
CREATE TABLE "user_audit_event" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "audit_event_id" TEXT COLLATE "C" NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "member_id" TEXT COLLATE "C",
    "service" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "params" JSONB NOT NULL,
    "ip" TEXT NOT NULL,
    "user_agent" TEXT,
    "outcome" "audit_outcome" NOT NULL,
    "status" INTEGER,
    "created_id" TEXT COLLATE "C",

    CONSTRAINT "user_audit_event_pkey" PRIMARY KEY ("user_id","audit_event_id")
);

-- CreateIndex
CREATE INDEX "audit_event_member" ON "audit_event"("organization_id", "member_id", "audit_event_id");

-- CreateIndex
CREATE INDEX "audit_event_outcome" ON "audit_event"("organization_id", "outcome", "audit_event_id") WHERE (outcome <> 'responded');

-- CreateIndex
CREATE INDEX "audit_event_method" ON "audit_event"("organization_id", "method", "audit_event_id");

-- CreateIndex
CREATE INDEX "audit_event_route" ON "audit_event"("organization_id", "route", "audit_event_id");

-- CreateIndex
CREATE INDEX "audit_event_service" ON "audit_event"("organization_id", "service", "audit_event_id") WHERE (service <> 'api');

-- CreateIndex
CREATE INDEX "audit_event_request" ON "audit_event"("organization_id", "request_id", "audit_event_id");

-- CreateIndex
CREATE INDEX "audit_event_created" ON "audit_event"("organization_id", "created_id", "audit_event_id") WHERE (created_id is not null);


-- The filters params[<name>]: an index for each name that stands in a route. Cut, as an index takes no long values and a
-- path may hold anything; no id or key is longer.
CREATE INDEX "audit_event_param_key" ON "audit_event"
    ("organization_id", (left("params" ->> 'key', 255)), "audit_event_id") WHERE "params" ->> 'key' IS NOT NULL;
CREATE INDEX "audit_event_param_subscriber_id" ON "audit_event"
    ("organization_id", (left("params" ->> 'subscriber_id', 255)), "audit_event_id") WHERE "params" ->> 'subscriber_id' IS NOT NULL;
CREATE INDEX "audit_event_param_feature_key" ON "audit_event"
    ("organization_id", (left("params" ->> 'feature_key', 255)), "audit_event_id") WHERE "params" ->> 'feature_key' IS NOT NULL;
-- The history of one override: a subscriber may have many entries, and a feature more.
CREATE INDEX "audit_event_param_override" ON "audit_event"
    ("organization_id", (left("params" ->> 'subscriber_id', 255)), (left("params" ->> 'feature_key', 255)), "audit_event_id")
    WHERE "params" ->> 'subscriber_id' IS NOT NULL AND "params" ->> 'feature_key' IS NOT NULL;
CREATE INDEX "audit_event_param_subscription_id" ON "audit_event"
    ("organization_id", (left("params" ->> 'subscription_id', 255)), "audit_event_id") WHERE "params" ->> 'subscription_id' IS NOT NULL;
CREATE INDEX "audit_event_param_member_id" ON "audit_event"
    ("organization_id", (left("params" ->> 'member_id', 255)), "audit_event_id") WHERE "params" ->> 'member_id' IS NOT NULL;
CREATE INDEX "audit_event_param_invite_id" ON "audit_event"
    ("organization_id", (left("params" ->> 'invite_id', 255)), "audit_event_id") WHERE "params" ->> 'invite_id' IS NOT NULL;
CREATE INDEX "audit_event_param_service_account_id" ON "audit_event"
    ("organization_id", (left("params" ->> 'service_account_id', 255)), "audit_event_id") WHERE "params" ->> 'service_account_id' IS NOT NULL;
CREATE INDEX "audit_event_param_key_id" ON "audit_event"
    ("organization_id", (left("params" ->> 'key_id', 255)), "audit_event_id") WHERE "params" ->> 'key_id' IS NOT NULL;
CREATE INDEX "audit_event_param_event_id" ON "audit_event"
    ("organization_id", (left("params" ->> 'event_id', 255)), "audit_event_id") WHERE "params" ->> 'event_id' IS NOT NULL;
CREATE INDEX "audit_event_param_organization_id" ON "audit_event"
    ("organization_id", (left("params" ->> 'organization_id', 255)), "audit_event_id") WHERE "params" ->> 'organization_id' IS NOT NULL;

-- No entry is changed or deleted, whoever asks. A pending one gets its outcome, once, with what that tells; the arguments
-- of a trigger name columns that its table learns with it.
CREATE FUNCTION "guard_audit_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    told text[] := ARRAY['outcome', 'status', 'details', 'created_id'] || TG_ARGV;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD."outcome" = 'pending' AND NEW."outcome" <> 'pending' AND to_jsonb(NEW) - told = to_jsonb(OLD) - told THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'Entries of the audit log cannot be changed or deleted.' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "audit_event_guard" BEFORE UPDATE OR DELETE ON "audit_event"
    FOR EACH ROW EXECUTE FUNCTION "guard_audit_log"();
CREATE TRIGGER "audit_event_guard_all" BEFORE TRUNCATE ON "audit_event"
    FOR EACH STATEMENT EXECUTE FUNCTION "guard_audit_log"();
CREATE TRIGGER "user_audit_event_guard" BEFORE UPDATE OR DELETE ON "user_audit_event"
    FOR EACH ROW EXECUTE FUNCTION "guard_audit_log"('organization_id', 'member_id');
CREATE TRIGGER "user_audit_event_guard_all" BEFORE TRUNCATE ON "user_audit_event"
    FOR EACH STATEMENT EXECUTE FUNCTION "guard_audit_log"();
ALTER TABLE "audit_event" ENABLE ALWAYS TRIGGER "audit_event_guard";
ALTER TABLE "audit_event" ENABLE ALWAYS TRIGGER "audit_event_guard_all";
ALTER TABLE "user_audit_event" ENABLE ALWAYS TRIGGER "user_audit_event_guard";
ALTER TABLE "user_audit_event" ENABLE ALWAYS TRIGGER "user_audit_event_guard_all";
