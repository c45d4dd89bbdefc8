-- How often checks asked for each feature.
-- runs beside: 20261127145355_positions_and_environment

-- CreateTable
CREATE TABLE "feature_usage_day" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "feature_key" TEXT COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "granted" BIGINT NOT NULL,
    "denied" BIGINT NOT NULL,
    "denied_to" JSON NOT NULL DEFAULT '[]',

    CONSTRAINT "feature_usage_day_pkey" PRIMARY KEY ("organization_id","feature_key","date")
);

-- CreateIndex
CREATE INDEX "feature_usage_day_organization_id_date_idx" ON "feature_usage_day"("organization_id", "date");

-- CreateIndex
CREATE INDEX "feature_usage_day_age" ON "feature_usage_day" USING BRIN ("date");
