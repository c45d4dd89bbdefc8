-- The chain of the audit log's entries. The list of entries without an outcome becomes the list of those that are not chained with
-- one: an outcome leaves its entry there, and the worker removes it when it is chained. No older version may run beside it: it
-- removes entries from the list, and they would never be chained.
ALTER TABLE "audit_event_pending" RENAME TO "audit_event_unchained";
ALTER TABLE "audit_event_unchained" RENAME CONSTRAINT "audit_event_pending_pkey" TO "audit_event_unchained_pkey";

-- CreateTable
CREATE TABLE "audit_chain" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,
    "hash" TEXT COLLATE "C" NOT NULL DEFAULT '0000000000000000000000000000000000000000000000000000000000000000',
    "signed_at" TIMESTAMPTZ(3),
    "signature" TEXT COLLATE "C",
    "kid" TEXT COLLATE "C",
    "swept_until" TEXT COLLATE "C",
    "cut_position" BIGINT NOT NULL DEFAULT 0,
    "cut_hash" TEXT COLLATE "C" NOT NULL DEFAULT '0000000000000000000000000000000000000000000000000000000000000000',
    "cut_at" TIMESTAMPTZ(3),
    "cut_signature" TEXT COLLATE "C",
    "cut_kid" TEXT COLLATE "C",

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "audit_link" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT NOT NULL,
    "audit_event_id" TEXT COLLATE "C" NOT NULL,
    "is_pending" BOOLEAN NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "audit_link_pkey" PRIMARY KEY ("organization_id","position")
);

-- CreateIndex
CREATE INDEX "audit_chain_sweep" ON "audit_chain"("organization_id") WHERE (swept_until is not null);

-- CreateIndex
CREATE INDEX "audit_link_entry" ON "audit_link"("organization_id", "audit_event_id", "is_pending");
