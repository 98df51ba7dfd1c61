-- CreateTable
CREATE TABLE "provider_session_leases" (
    "provider_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "holder" UUID NOT NULL,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "wanted_until" TIMESTAMPTZ(3),

    CONSTRAINT "provider_session_leases_pkey" PRIMARY KEY ("provider_id","place")
);

-- CreateIndex
CREATE INDEX "provider_session_leases_workspace_id_idx" ON "provider_session_leases"("workspace_id");

-- AddForeignKey
ALTER TABLE "provider_session_leases" ADD CONSTRAINT "provider_session_leases_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
