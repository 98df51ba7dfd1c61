-- CreateTable
CREATE TABLE "session_deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "workspace_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "connection" UUID NOT NULL,
    "is_stored" BOOLEAN NOT NULL DEFAULT false,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "long_inbound_messages" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "workspace_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "provider_account" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "reference" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "parts" JSONB NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "long_inbound_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "session_deliveries_provider_id_digest_idx" ON "session_deliveries"("provider_id", "digest");

-- CreateIndex
CREATE INDEX "session_deliveries_workspace_id_idx" ON "session_deliveries"("workspace_id");

-- CreateIndex
CREATE INDEX "long_inbound_messages_due_at_idx" ON "long_inbound_messages"("due_at");

-- CreateIndex
CREATE INDEX "long_inbound_messages_workspace_id_idx" ON "long_inbound_messages"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "long_inbound_messages_provider_id_from_to_reference_total_key" ON "long_inbound_messages"("provider_id", "from", "to", "reference", "total");

-- AddForeignKey
ALTER TABLE "session_deliveries" ADD CONSTRAINT "session_deliveries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "long_inbound_messages" ADD CONSTRAINT "long_inbound_messages_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
