-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "mention_ranges" JSONB NOT NULL DEFAULT '[]';
