-- CreateIndex
CREATE INDEX CONCURRENTLY "notes_mentions_idx" ON "notes" USING GIN ("mentions");
