-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "repeat_of" UUID;
