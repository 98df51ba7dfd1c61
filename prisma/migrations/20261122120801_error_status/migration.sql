-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "error_status" "message_status";
