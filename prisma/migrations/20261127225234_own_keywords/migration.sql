-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "help_words" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "opt_in_words" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "opt_out_words" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "own_keywords" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "opt_out_suspected" BOOLEAN NOT NULL DEFAULT false;
