-- By hand: what a Prisma schema can't express.

-- A received message is stored once in its workspace: what another workspace has stored under the
-- same account and identifier must not keep it out. The release after this one can drop
-- messages_provider_sid_provider_account_key for inbound messages; this release's predecessor names
-- it in ON CONFLICT.
CREATE UNIQUE INDEX CONCURRENTLY "messages_received_once_idx"
  ON "messages"("workspace_id", "provider_account", "provider_sid") WHERE "direction" = 'inbound';
