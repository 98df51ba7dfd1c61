-- AlterTable
ALTER TABLE "provider_configurations" ADD COLUMN     "id" UUID NOT NULL DEFAULT uuid_v7(now());
