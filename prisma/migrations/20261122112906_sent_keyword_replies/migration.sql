-- CreateTable
CREATE TABLE "sent_keyword_replies" (
    "workspace_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "keyword" TEXT NOT NULL,
    "replied_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sent_keyword_replies_pkey" PRIMARY KEY ("workspace_id","number","keyword")
);

-- CreateIndex
CREATE INDEX "sent_keyword_replies_workspace_id_replied_at_idx" ON "sent_keyword_replies"("workspace_id", "replied_at");

-- AddForeignKey
ALTER TABLE "sent_keyword_replies" ADD CONSTRAINT "sent_keyword_replies_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
