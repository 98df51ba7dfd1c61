-- By hand: what a Prisma schema can't express. The account and the sender are in the entries of the index of
-- directions and statuses, so filters by them read it without the messages. Indexes of their own would cost every
-- change of a message two more entries.
CREATE INDEX CONCURRENTLY "messages_history_idx" ON "messages"("workspace_id", "direction", "status", "id") INCLUDE ("provider_account", "sent_by_id");
