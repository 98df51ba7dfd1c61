-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "sent_by_name" TEXT;

-- AlterTable
ALTER TABLE "message_events" ADD COLUMN     "provider_id" UUID,
ADD COLUMN     "provider_type" TEXT;
