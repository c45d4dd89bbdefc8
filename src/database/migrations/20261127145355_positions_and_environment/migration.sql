-- Where vendors show their plans and features, and what an organization is for.
-- runs beside: 20261127111500_versions_from_the_log

-- CreateEnum
CREATE TYPE "environment" AS ENUM ('live', 'test');

-- AlterTable
ALTER TABLE "feature" ADD COLUMN "position" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "organization" ADD COLUMN "environment" "environment";

-- AlterTable
ALTER TABLE "plan" ADD COLUMN "position" DOUBLE PRECISION;
