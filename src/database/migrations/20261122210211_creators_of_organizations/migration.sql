-- Who created an organization, so that all organizations of a person share that person's places in a process, and can be counted.
-- Those that exist already are found in the persons' logs, once through; an operator's are in none.

-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "creator_id" TEXT COLLATE "C";

UPDATE "organization" AS o SET "creator_id" = e."user_id"
  FROM "user_audit_event" e
 WHERE e."method" = 'POST' AND e."route" = '/user/organizations' AND e."status" = 201 AND e."created_id" = o."organization_id";

-- CreateIndex
CREATE INDEX "organization_creator" ON "organization"("creator_id") WHERE (creator_id is not null);
