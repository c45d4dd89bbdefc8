-- AlterTable
ALTER TABLE "member" ADD COLUMN "user_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "user_account" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT,
    "email_key" TEXT COLLATE "C",
    "issuer" TEXT COLLATE "C",
    "subject" TEXT COLLATE "C",
    "display_name" TEXT NOT NULL,
    "token_generation" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "user_password" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "password_hash" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_password_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "user_membership" (
    "user_id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "user_membership_pkey" PRIMARY KEY ("user_id","organization_id")
);

-- CreateTable
CREATE TABLE "ended_identity" (
    "issuer" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ended_identity_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "user_session" (
    "user_session_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "session_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_session_pkey" PRIMARY KEY ("user_session_id")
);

-- CreateTable
CREATE TABLE "console_session" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "console_session_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "user_session_id" TEXT COLLATE "C",
    "session_hash" BYTEA NOT NULL,
    "session_prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "console_session_pkey" PRIMARY KEY ("organization_id","console_session_id")
);

-- CreateTable
CREATE TABLE "invite" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "invite_id" TEXT COLLATE "C" NOT NULL,
    "role" "role" NOT NULL,
    "email" TEXT,
    "token_hash" BYTEA NOT NULL,
    "encrypted_token" BYTEA NOT NULL,
    "bound_user_id" TEXT COLLATE "C",
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invite_pkey" PRIMARY KEY ("organization_id","invite_id")
);

-- CreateTable
CREATE TABLE "sign_in_counter" (
    "counter_key" BYTEA NOT NULL,
    "window_started_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL,

    CONSTRAINT "sign_in_counter_pkey" PRIMARY KEY ("counter_key")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_account_email_key_key" ON "user_account"("email_key");

-- CreateIndex
CREATE UNIQUE INDEX "user_account_issuer_subject_key" ON "user_account"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "user_session_session_hash_key" ON "user_session"("session_hash");

-- CreateIndex
CREATE INDEX "user_session_user_id_idx" ON "user_session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "console_session_session_hash_key" ON "console_session"("session_hash");

-- CreateIndex
CREATE INDEX "console_session_user_id_idx" ON "console_session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invite_token_hash_key" ON "invite"("token_hash");

-- CreateIndex
CREATE INDEX "invite_bound_user_id_idx" ON "invite"("bound_user_id");

-- CreateIndex
CREATE INDEX "sign_in_counter_window_started_at_idx" ON "sign_in_counter"("window_started_at");

-- CreateIndex
CREATE UNIQUE INDEX "member_one_of_user" ON "member"("organization_id", "user_id") WHERE (user_id is not null);


-- A local account has an e-mail, an outside identity an issuer; nobody has both.
ALTER TABLE "user_account" ADD CONSTRAINT "user_account_kind" CHECK (
    CASE WHEN "issuer" IS NULL
        THEN "subject" IS NULL AND "email" IS NOT NULL AND "email_key" IS NOT NULL
        ELSE "subject" IS NOT NULL AND "email_key" IS NULL
    END);

-- A member is a person or a service account.
ALTER TABLE "member" ADD CONSTRAINT "member_kind" CHECK ("user_id" IS NULL OR "service_account_id" IS NULL);
