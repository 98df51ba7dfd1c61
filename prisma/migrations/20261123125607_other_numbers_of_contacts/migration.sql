-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "other_numbers" TEXT[] DEFAULT ARRAY[]::TEXT[];
