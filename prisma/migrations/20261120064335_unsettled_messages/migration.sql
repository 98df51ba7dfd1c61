-- By hand: what a Prisma schema can't express.

-- A look-up's question: which other rows may be the message that the provider has? Only rows whose
-- outcome is open are in it, whatever workspace they are in.
CREATE INDEX "messages_unsettled_idx" ON "messages"("to", "provider_account")
  WHERE "dispatch" IN ('inflight', 'unknown');
