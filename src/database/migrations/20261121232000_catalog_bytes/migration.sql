-- AlterTable
ALTER TABLE "organization" ADD COLUMN "catalog_bytes" BIGINT NOT NULL DEFAULT 0;

-- What every write to the catalog counts from now on: the texts of its rows, and about what a row takes beside them.
UPDATE "organization" o SET "catalog_bytes" =
  coalesce((SELECT sum(32 + octet_length(f.feature_key) + octet_length(f.name) + octet_length(f.description)
                       + coalesce(octet_length(array_to_string(f.options, '')), 0))
    FROM "feature" f WHERE f.organization_id = o.organization_id), 0)
  + coalesce((SELECT sum(32 + octet_length(g.plan_key) + octet_length(g.feature_key) + coalesce(octet_length(g.value), 0))
    FROM "plan_grant" g WHERE g.organization_id = o.organization_id), 0);
