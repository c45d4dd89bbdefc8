
-- CreateEnum
CREATE TYPE "role" AS ENUM ('admin', 'developer', 'support', 'viewer', 'evaluator');

-- CreateEnum
CREATE TYPE "member_status" AS ENUM ('active', 'disabled');

-- CreateEnum
CREATE TYPE "feature_kind" AS ENUM ('flag', 'limit', 'config');

-- CreateEnum
CREATE TYPE "value_type" AS ENUM ('string', 'number', 'boolean', 'enum', 'json');

-- CreateEnum
CREATE TYPE "subscription_status" AS ENUM ('active', 'canceled');

-- CreateEnum
CREATE TYPE "audit_outcome" AS ENUM ('pending', 'rejected', 'responded', 'no_response');

-- CreateTable
CREATE TABLE "organization" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "catalog_version" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "member" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,
    "service_account_id" TEXT COLLATE "C",
    "display_name" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "status" "member_status" NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_pkey" PRIMARY KEY ("organization_id","member_id")
);

-- CreateTable
CREATE TABLE "service_account" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "service_account_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_account_pkey" PRIMARY KEY ("organization_id","service_account_id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "key_id" TEXT COLLATE "C" NOT NULL,
    "service_account_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "key_prefix" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("organization_id","key_id")
);

-- CreateTable
CREATE TABLE "feature" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "feature_key" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "kind" "feature_kind" NOT NULL,
    "value_type" "value_type",
    "options" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feature_pkey" PRIMARY KEY ("organization_id","feature_key")
);

-- CreateTable
CREATE TABLE "plan" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "plan_key" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'standard',
    "archived_at" TIMESTAMPTZ(3),
    "had_deleted_subscriber" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "plan_pkey" PRIMARY KEY ("organization_id","plan_key")
);

-- CreateTable
CREATE TABLE "plan_grant" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "plan_key" TEXT COLLATE "C" NOT NULL,
    "feature_key" TEXT COLLATE "C" NOT NULL,
    "kind" "feature_kind" NOT NULL,
    "limit" BIGINT,
    "value" TEXT,

    CONSTRAINT "plan_grant_pkey" PRIMARY KEY ("organization_id","plan_key","feature_key")
);

-- CreateTable
CREATE TABLE "subscriber" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "subscriber_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscriber_pkey" PRIMARY KEY ("organization_id","subscriber_id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "subscription_id" TEXT COLLATE "C" NOT NULL,
    "subscriber_id" TEXT COLLATE "C" NOT NULL,
    "plan_key" TEXT COLLATE "C" NOT NULL,
    "status" "subscription_status" NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "canceled_at" TIMESTAMPTZ(3),

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("organization_id","subscription_id")
);

-- CreateTable
CREATE TABLE "override" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "subscriber_id" TEXT COLLATE "C" NOT NULL,
    "feature_key" TEXT COLLATE "C" NOT NULL,
    "override_id" TEXT COLLATE "C" NOT NULL,
    "kind" "feature_kind" NOT NULL,
    "allowed" BOOLEAN,
    "limit" BIGINT,
    "value" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "override_pkey" PRIMARY KEY ("organization_id","subscriber_id","feature_key")
);

-- CreateTable
CREATE TABLE "eval_counter" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "second" TIMESTAMPTZ(0) NOT NULL DEFAULT 'epoch',
    "second_used" INTEGER NOT NULL DEFAULT 0,
    "day" DATE NOT NULL DEFAULT 'epoch',
    "day_used" BIGINT NOT NULL DEFAULT 0,
    "month_used" BIGINT NOT NULL DEFAULT 0,
    "rate_limit" INTEGER,
    "allotment" BIGINT,

    CONSTRAINT "eval_counter_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "eval_usage_day" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "used" BIGINT NOT NULL,

    CONSTRAINT "eval_usage_day_pkey" PRIMARY KEY ("organization_id","date")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "audit_event_id" TEXT COLLATE "C" NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,
    "auth_type" TEXT NOT NULL,
    "key_prefix" TEXT,
    "service" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "params" TEXT NOT NULL,
    "ip" TEXT NOT NULL,
    "user_agent" TEXT,
    "outcome" "audit_outcome" NOT NULL,
    "status" INTEGER,
    "details" TEXT,
    "created_id" TEXT COLLATE "C",

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("organization_id","audit_event_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "service_account_organization_id_member_id_key" ON "service_account"("organization_id", "member_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_key_hash_key" ON "api_key"("key_hash");

-- CreateIndex
CREATE INDEX "api_key_organization_id_service_account_id_key_id_idx" ON "api_key"("organization_id", "service_account_id", "key_id");

-- CreateIndex
CREATE INDEX "plan_grant_organization_id_feature_key_idx" ON "plan_grant"("organization_id", "feature_key");

-- CreateIndex
CREATE INDEX "subscription_organization_id_subscriber_id_subscription_id_idx" ON "subscription"("organization_id", "subscriber_id", "subscription_id");

-- CreateIndex
CREATE INDEX "subscription_organization_id_plan_key_idx" ON "subscription"("organization_id", "plan_key");

-- CreateIndex
CREATE UNIQUE INDEX "subscription_one_active" ON "subscription"("organization_id", "subscriber_id") WHERE (status = 'active');

-- CreateIndex
CREATE INDEX "override_organization_id_feature_key_idx" ON "override"("organization_id", "feature_key");

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_account" ADD CONSTRAINT "service_account_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_account" ADD CONSTRAINT "service_account_organization_id_member_id_fkey" FOREIGN KEY ("organization_id", "member_id") REFERENCES "member"("organization_id", "member_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feature" ADD CONSTRAINT "feature_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan" ADD CONSTRAINT "plan_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_grant" ADD CONSTRAINT "plan_grant_organization_id_plan_key_fkey" FOREIGN KEY ("organization_id", "plan_key") REFERENCES "plan"("organization_id", "plan_key") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_grant" ADD CONSTRAINT "plan_grant_organization_id_feature_key_fkey" FOREIGN KEY ("organization_id", "feature_key") REFERENCES "feature"("organization_id", "feature_key") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriber" ADD CONSTRAINT "subscriber_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_organization_id_subscriber_id_fkey" FOREIGN KEY ("organization_id", "subscriber_id") REFERENCES "subscriber"("organization_id", "subscriber_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_organization_id_plan_key_fkey" FOREIGN KEY ("organization_id", "plan_key") REFERENCES "plan"("organization_id", "plan_key") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "override" ADD CONSTRAINT "override_organization_id_subscriber_id_fkey" FOREIGN KEY ("organization_id", "subscriber_id") REFERENCES "subscriber"("organization_id", "subscriber_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "override" ADD CONSTRAINT "override_organization_id_feature_key_fkey" FOREIGN KEY ("organization_id", "feature_key") REFERENCES "feature"("organization_id", "feature_key") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "eval_counter" ADD CONSTRAINT "eval_counter_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Every eval updates this row in place: room on the page lets PostgreSQL reuse it without touching the index.
ALTER TABLE "eval_counter" SET (fillfactor = 10);

-- One shape for each kind, whatever writes the row.
ALTER TABLE "override" ADD CONSTRAINT "override_shape" CHECK (
    CASE "kind"
        WHEN 'flag' THEN "allowed" IS NOT NULL AND "limit" IS NULL AND "value" IS NULL
        WHEN 'limit' THEN "allowed" IS NULL AND "value" IS NULL
        WHEN 'config' THEN "value" IS NOT NULL AND "allowed" IS NULL AND "limit" IS NULL
    END);
ALTER TABLE "plan_grant" ADD CONSTRAINT "plan_grant_shape" CHECK (
    CASE "kind"
        WHEN 'flag' THEN "limit" IS NULL AND "value" IS NULL
        WHEN 'limit' THEN "value" IS NULL
        WHEN 'config' THEN "value" IS NOT NULL AND "limit" IS NULL
    END);
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_canceled" CHECK (("status" = 'canceled') = ("canceled_at" IS NOT NULL));
