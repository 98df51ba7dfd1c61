-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "country" TEXT;

-- AlterTable. provider_configurations inherits the column.
ALTER TABLE "provider_accounts" ADD COLUMN     "country" TEXT;
