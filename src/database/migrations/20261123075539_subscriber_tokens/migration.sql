-- How often the tokens of a subscriber ask for evals in a second.
--
-- runs beside: 20261123035915_changes

-- A lost count lets a subscriber ask a few times more, once. Each eval by a token updates a row in place.
-- CreateTable
CREATE UNLOGGED TABLE "token_counter" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "subscriber_id" TEXT COLLATE "C" NOT NULL,
    "second" TIMESTAMPTZ(0) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "token_counter_pkey" PRIMARY KEY ("organization_id","subscriber_id")
)
WITH (fillfactor = 50);
