-- How many followers of changes each process has, and what they were handed last. Unlogged: after a crash it is counted anew.
-- runs beside: 20261123035915_changes

-- CreateTable
CREATE UNLOGGED TABLE "follower_count" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "process_id" TEXT COLLATE "C" NOT NULL,
    "followers" INTEGER NOT NULL,
    "transaction_id" BIGINT,
    "change_id" TEXT COLLATE "C",
    "handed_out_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "follower_count_pkey" PRIMARY KEY ("organization_id","process_id")
);
