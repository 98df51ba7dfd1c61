-- AlterTable
ALTER TABLE "orphan_callbacks" ADD COLUMN     "match_at" TIMESTAMPTZ(3);
