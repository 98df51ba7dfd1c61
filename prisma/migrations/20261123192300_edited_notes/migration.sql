-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "edited_at" TIMESTAMPTZ(3);
