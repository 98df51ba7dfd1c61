-- AlterTable
ALTER TABLE "provider_configurations" ADD COLUMN     "failing_detail" TEXT,
ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "probe_at" TIMESTAMPTZ(3),
ADD COLUMN     "probes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "first_attempt_at" TIMESTAMPTZ(3);
