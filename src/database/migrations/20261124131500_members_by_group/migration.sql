-- Roles by groups at an identity provider, and which members have them. Processes of the version before know nothing of groups:
-- they list these members as any others.
-- runs beside: 20261124031203_audit_chain_of_entries_before

ALTER TABLE "member" ADD COLUMN "by_group" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "disabled_by_group" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "group_role" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "group_name" TEXT COLLATE "C" NOT NULL,
    "role" "role" NOT NULL,

    CONSTRAINT "group_role_pkey" PRIMARY KEY ("organization_id","group_name")
);
