-- CreateTable
CREATE TABLE "message_chunks" (
    "workspace_id" UUID NOT NULL,
    "first_id" UUID NOT NULL,
    "last_id" UUID NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "message_chunks_pkey" PRIMARY KEY ("workspace_id","last_id")
);

-- CreateIndex
CREATE INDEX "message_chunks_words_idx" ON "message_chunks" USING GIN ("words");

-- AddForeignKey
ALTER TABLE "message_chunks" ADD CONSTRAINT "message_chunks_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: without statistics PostgreSQL expects that a word is rare, and uses the index. It does not know how much
-- a comparison with large words costs that are stored outside the row.
ALTER TABLE "message_chunks" ALTER COLUMN "words" SET STATISTICS 0;
