-- The chain of the audit log's entries, and the list of those that it does not have yet. No older version may run beside it:
-- its entries would be in neither.
-- CreateTable
CREATE TABLE "audit_event_unchained" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "audit_event_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "audit_event_unchained_pkey" PRIMARY KEY ("organization_id","audit_event_id")
);

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
