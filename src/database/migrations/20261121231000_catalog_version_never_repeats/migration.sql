-- A number comes again after a failover that lost a write, with other contents; a random value does not.
ALTER TABLE "organization" ALTER COLUMN "catalog_version" DROP DEFAULT;
ALTER TABLE "organization" ALTER COLUMN "catalog_version" TYPE UUID USING gen_random_uuid();
ALTER TABLE "organization" ALTER COLUMN "catalog_version" SET DEFAULT gen_random_uuid();
