-- What the log has said of an organization's limits on evals, so that it is said once over all processes.
CREATE TABLE "limit_notice" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "period" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "limit_notice_pkey" PRIMARY KEY ("organization_id","kind")
);

ALTER TABLE "limit_notice" ADD CONSTRAINT "limit_notice_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE CASCADE ON UPDATE CASCADE;
