-- Which evals the last statements of a process granted, so that those whose reply was lost can be taken back; and what each
-- organization stores.
--
-- runs beside: 20261122144500_references_held_by_locks

-- CreateTable
CREATE TABLE "eval_batch" (
    "gate_id" TEXT COLLATE "C" NOT NULL,
    "place" SMALLINT NOT NULL,
    "number" BIGINT NOT NULL,
    "refused" BIGINT NOT NULL DEFAULT 0,
    "granted" TEXT,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "eval_batch_pkey" PRIMARY KEY ("gate_id","place")
)
-- Each statement with evals updates a row in place; its text stays in the row.
WITH (toast_tuple_target = 8160);

-- CreateTable
CREATE TABLE "stored_bytes" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "audit" BIGINT NOT NULL DEFAULT 0,
    "events" BIGINT NOT NULL DEFAULT 0,
    "subscribers" BIGINT NOT NULL DEFAULT 0,
    "overrides" BIGINT NOT NULL DEFAULT 0,
    "catalog" BIGINT NOT NULL DEFAULT 0,
    "other" BIGINT NOT NULL DEFAULT 0,
    "total" BIGINT NOT NULL DEFAULT 0,
    "counted_at" TIMESTAMPTZ(3),
    "audit_until" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "cap" BIGINT,

    CONSTRAINT "stored_bytes_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "stored_bytes_total_organization_id_idx" ON "stored_bytes"("total", "organization_id");

-- CreateIndex
CREATE INDEX "stored_bytes_own_cap" ON "stored_bytes"("organization_id") WHERE (cap IS NOT NULL);
