-- The release before asks by time alone. It finds the same rows by messages_due_idx, which holds
-- unfinished messages only.

-- DropIndex
DROP INDEX "messages_due_at_idx";
