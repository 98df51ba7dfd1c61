-- CreateTable
CREATE TABLE "media_files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL DEFAULT '',
    "size" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "stored_at" TIMESTAMPTZ(3),
    "check_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "media_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media_uses" (
    "media_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,

    CONSTRAINT "media_uses_pkey" PRIMARY KEY ("media_id","message_id")
);

-- CreateIndex
CREATE INDEX "media_files_workspace_id_idx" ON "media_files"("workspace_id");

-- CreateIndex
CREATE INDEX "media_files_check_at_idx" ON "media_files"("check_at");

-- AddForeignKey
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media_uses" ADD CONSTRAINT "media_uses_media_id_fkey" FOREIGN KEY ("media_id") REFERENCES "media_files"("id") ON DELETE CASCADE ON UPDATE CASCADE;
