-- CreateEnum
CREATE TYPE "sender_kind" AS ENUM ('user', 'api_key', 'opt_out_reply', 'opt_in_reply', 'help_reply');

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "user_agent" TEXT;

-- AlterTable
ALTER TABLE "invites" ADD COLUMN     "id" UUID NOT NULL DEFAULT uuid_v7(now());

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "sent_by" "sender_kind",
ADD COLUMN     "sent_by_id" UUID;
