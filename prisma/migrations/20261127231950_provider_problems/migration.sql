-- CreateTable
CREATE TABLE "provider_problems" (
    "provider_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "count" INTEGER NOT NULL,
    "example" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "latest_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_problems_pkey" PRIMARY KEY ("provider_id","kind")
);

-- CreateIndex
CREATE INDEX "provider_problems_workspace_id_idx" ON "provider_problems"("workspace_id");

-- CreateIndex
CREATE INDEX "provider_problems_latest_at_idx" ON "provider_problems"("latest_at");

-- AddForeignKey
ALTER TABLE "provider_problems" ADD CONSTRAINT "provider_problems_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
