-- AlterTable
ALTER TABLE "provider_configurations" ADD COLUMN     "verified_credentials" TEXT;
