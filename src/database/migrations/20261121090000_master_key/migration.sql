-- CreateTable
CREATE TABLE "master_key" (
    "singleton" BOOLEAN NOT NULL DEFAULT true,
    "fingerprint" BYTEA NOT NULL,

    CONSTRAINT "master_key_pkey" PRIMARY KEY ("singleton")
);

-- One row at most.
ALTER TABLE "master_key" ADD CONSTRAINT "master_key_one" CHECK ("singleton");
