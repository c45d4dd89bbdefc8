-- AlterTable
ALTER TABLE "webhook_lane" ADD COLUMN     "claim_ms" INTEGER NOT NULL DEFAULT 250;
