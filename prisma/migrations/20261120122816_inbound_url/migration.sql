-- AlterTable
ALTER TABLE "phone_numbers" ADD COLUMN     "inbound_url" TEXT;
