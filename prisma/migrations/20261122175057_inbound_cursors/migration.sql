-- AlterTable
ALTER TABLE "provider_configurations" ADD COLUMN     "inbound_check_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "phone_numbers" ADD COLUMN     "inbound_read_until" TIMESTAMPTZ(3),
ADD COLUMN     "inbound_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "opt_outs" ADD COLUMN     "latest_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "opt_ins" (
    "workspace_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "opted_in_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "opt_ins_pkey" PRIMARY KEY ("workspace_id","number")
);

-- CreateIndex
CREATE INDEX "opt_ins_opted_in_at_idx" ON "opt_ins"("opted_in_at");

-- AddForeignKey
ALTER TABLE "opt_ins" ADD CONSTRAINT "opt_ins_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
