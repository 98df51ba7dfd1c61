-- CreateIndex
CREATE INDEX CONCURRENTLY "provider_accounts_type_idx" ON "provider_accounts"("type");
