-- AlterTable
ALTER TABLE "long_inbound_messages" ADD COLUMN     "contents" JSONB NOT NULL DEFAULT '{}';
