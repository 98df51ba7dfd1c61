-- A change of the catalogue only: no row is rewritten.
ALTER TABLE "messages" ADD COLUMN     "trace_parent" TEXT;
