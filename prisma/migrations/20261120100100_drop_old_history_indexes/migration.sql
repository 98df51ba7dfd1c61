-- In a transaction of its own: what builds an index must not wait for readers while writers wait for it.

-- DropIndex
DROP INDEX "messages_workspace_id_to_id_idx";

-- DropIndex
DROP INDEX "messages_workspace_id_from_id_idx";
