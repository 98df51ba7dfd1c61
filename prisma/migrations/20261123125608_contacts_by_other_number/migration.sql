-- CreateIndex
CREATE INDEX CONCURRENTLY "contacts_other_numbers_idx" ON "contacts" USING GIN ("other_numbers");
