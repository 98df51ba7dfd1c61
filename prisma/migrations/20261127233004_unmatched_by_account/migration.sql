-- By hand: what a Prisma schema can't express.
CREATE INDEX CONCURRENTLY "orphan_callbacks_unmatched_idx" ON "orphan_callbacks"("workspace_id", "provider_account", "received_at")
  WHERE "match_at" IS NOT NULL;
