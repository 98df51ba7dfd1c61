-- By hand: what a Prisma schema can't express.
CREATE INDEX CONCURRENTLY "orphan_callbacks_match_at_idx" ON "orphan_callbacks"("workspace_id", "provider_account", "match_at")
  WHERE "match_at" IS NOT NULL;
