-- CreateIndex
CREATE INDEX CONCURRENTLY "provider_configurations_type_idx" ON "provider_configurations"("type");
