-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "help_reply" TEXT,
ADD COLUMN     "opt_in_reply" TEXT,
ADD COLUMN     "opt_out_reply" TEXT;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "ignores_opt_out" BOOLEAN NOT NULL DEFAULT false;
