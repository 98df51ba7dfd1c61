-- By hand: what a Prisma schema can't express. Only messages that repeat another are in this index, so
-- other messages do not write to it.
CREATE INDEX CONCURRENTLY "messages_repeat_of_idx" ON "messages"("repeat_of", "id") WHERE "repeat_of" IS NOT NULL;
