-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "removed_at" TIMESTAMPTZ(3);
