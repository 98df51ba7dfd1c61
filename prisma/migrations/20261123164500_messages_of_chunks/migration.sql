-- AlterTable
ALTER TABLE "message_chunks" ADD COLUMN     "messages" INTEGER NOT NULL DEFAULT 200;
