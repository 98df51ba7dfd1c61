-- CreateTable
CREATE TABLE "message_breakdowns" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "dimension" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "status" "message_status" NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "message_breakdowns_pkey" PRIMARY KEY ("workspace_id","day","dimension","value","status")
);

-- By hand: the rows that are compared with the exact counts.
CREATE INDEX "message_breakdowns_all_idx" ON "message_breakdowns"("workspace_id", "day", "status") INCLUDE ("n") WHERE "dimension" = 'all';
