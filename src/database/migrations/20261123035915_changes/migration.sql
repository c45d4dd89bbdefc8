-- Changes for those who follow them. No older version may run beside it: its writes would be missing.

-- CreateTable
CREATE TABLE "change" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "change_id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "body" TEXT COLLATE "C" NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "change_pkey" PRIMARY KEY ("organization_id","transaction_id","change_id")
);

-- PostgreSQL empties an unlogged table after a crash and in a promoted copy: a new epoch begins there.
-- CreateTable
CREATE UNLOGGED TABLE "change_epoch" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "change_epoch_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "pruned_until" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "change_epoch_pkey" PRIMARY KEY ("is_only"),
    CONSTRAINT "change_epoch_is_only" CHECK ("is_only")
);

-- CreateIndex
CREATE INDEX "change_written_at" ON "change"("written_at");
