-- AlterTable
ALTER TABLE "opt_outs" ADD COLUMN     "is_added" BOOLEAN NOT NULL DEFAULT false;
