-- By hand: what a Prisma schema can't express. A provider may write an identifier differently in a receipt: in capitals, with
-- zeros at the start, or in another base (`toSidKey` in core computes the same). Only accounts with sessions have an @ in
-- their identifier, so that messages of other accounts have no entry.
CREATE INDEX CONCURRENTLY "messages_sid_key" ON "messages"("provider_account", (ltrim(lower(split_part("provider_sid", '#', 1)), '0')), "id")
  WHERE "provider_account" LIKE '%@%' AND "direction" = 'outbound';
