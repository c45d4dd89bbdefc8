-- Answers to requests with an Idempotency-Key, for their repetitions. Older processes ignore the header, as they did before.
-- runs beside: 20261123035915_changes

-- CreateTable
CREATE TABLE "kept_answer" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,
    "idempotency_key" TEXT COLLATE "C" NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "request_id" TEXT COLLATE "C" NOT NULL,
    "reserved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "status" SMALLINT,
    "body" TEXT COLLATE "C",
    "result" BYTEA,

    CONSTRAINT "kept_answer_pkey" PRIMARY KEY ("organization_id","member_id","idempotency_key")
);

-- CreateIndex
CREATE INDEX "kept_answer_reserved_at" ON "kept_answer"("reserved_at");
