-- By hand: what a Prisma schema can't express. The quota counts the opt-outs that users have added;
-- those that phones have sent are not in the index, and cost no entry in it.
CREATE INDEX CONCURRENTLY "opt_outs_added_idx" ON "opt_outs"("workspace_id") WHERE "is_added";
