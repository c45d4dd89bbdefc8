-- Keys that end or are bound to networks, what people see of their own sign-ins, and where they signed in before.

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "allowed_networks" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "expires_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "console_session" ADD COLUMN     "ip" TEXT COLLATE "C",
ADD COLUMN     "user_agent" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "user_session" ADD COLUMN     "ip" TEXT COLLATE "C",
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "user_agent" TEXT COLLATE "C";

-- The default gave every session the time of this migration.
UPDATE "user_session" SET "last_used_at" = "created_at";

-- CreateTable
CREATE TABLE "sign_in_network" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "network" TEXT COLLATE "C" NOT NULL,
    "last_sign_in_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_network_pkey" PRIMARY KEY ("user_id","network")
);
