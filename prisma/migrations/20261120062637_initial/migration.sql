-- By hand: a UUIDv7 (RFC 9562) of a given time, for ids that are made in the database. The function
-- of the same purpose that PostgreSQL 18 has does not exist in 14 to 17.
CREATE FUNCTION uuid_v7(at timestamptz) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          PLACING substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
        ),
        52, 1),
      53, 1),
    'hex')::uuid
$$;

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'member');

-- CreateEnum
CREATE TYPE "on_unknown" AS ENUM ('resend', 'fail');

-- CreateEnum
CREATE TYPE "dispatch_state" AS ENUM ('ready', 'inflight', 'accepted', 'rejected', 'unknown', 'unresolved', 'canceled');

-- CreateEnum
CREATE TYPE "direction" AS ENUM ('inbound', 'outbound');

-- CreateEnum
CREATE TYPE "message_status" AS ENUM ('scheduled', 'queued', 'sending', 'sent', 'canceled', 'failed', 'undelivered', 'delivered', 'received', 'read');

-- CreateEnum
CREATE TYPE "event_type" AS ENUM ('created', 'scheduled', 'attempt_started', 'attempt_failed', 'outcome_unknown', 'provider_accepted', 'provider_rejected', 'status_changed', 'canceled', 'received');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "members_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_configurations" (
    "workspace_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "account_sid" TEXT NOT NULL,
    "auth_token_encrypted" TEXT NOT NULL,
    "auth_token_last4" TEXT NOT NULL,
    "messaging_service_sid" TEXT,
    "on_unknown" "on_unknown" NOT NULL DEFAULT 'resend',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_configurations_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "phone_numbers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "capabilities" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "phone_numbers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "opt_outs" (
    "workspace_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "opt_outs_pkey" PRIMARY KEY ("workspace_id","number")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "direction" "direction" NOT NULL,
    "to" TEXT NOT NULL,
    "from" TEXT,
    "body" TEXT NOT NULL,
    "media" JSONB NOT NULL DEFAULT '[]',
    "segments" INTEGER NOT NULL,
    "status" "message_status" NOT NULL,
    "error_code" TEXT,
    "error_detail" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "scheduled_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "provider_account" TEXT,
    "provider_sid" TEXT,
    "provider_status" "message_status",
    "sid_adopted" BOOLEAN NOT NULL DEFAULT false,
    "dispatch" "dispatch_state" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "resends" INTEGER NOT NULL DEFAULT 0,
    "lookups" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "request_id" TEXT,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_events" (
    "workspace_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "id" UUID NOT NULL DEFAULT uuid_v7(now()),
    "message_id" UUID NOT NULL,
    "type" "event_type" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "detail" TEXT,
    "visible" BOOLEAN NOT NULL,
    "status" "message_status" NOT NULL,
    "from" TEXT,
    "provider_sid" TEXT,
    "error_code" TEXT,
    "error_detail" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "message_events_pkey" PRIMARY KEY ("workspace_id","seq")
);

-- CreateTable
CREATE TABLE "event_counters" (
    "workspace_id" UUID NOT NULL,
    "last_seq" BIGINT NOT NULL,

    CONSTRAINT "event_counters_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "message_id" UUID NOT NULL,
    "response" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "orphan_callbacks" (
    "id" UUID NOT NULL DEFAULT uuid_v7(now()),
    "workspace_id" UUID NOT NULL,
    "provider_account" TEXT NOT NULL,
    "provider_sid" TEXT NOT NULL,
    "callback" JSONB NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "orphan_callbacks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE UNLOGGED TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_workspace_id_idx" ON "api_keys"("workspace_id");

-- CreateIndex
CREATE INDEX "provider_configurations_account_sid_idx" ON "provider_configurations"("account_sid");

-- CreateIndex
CREATE UNIQUE INDEX "phone_numbers_workspace_id_number_key" ON "phone_numbers"("workspace_id", "number");

-- CreateIndex
CREATE INDEX "messages_workspace_id_id_idx" ON "messages"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "messages_workspace_id_to_id_idx" ON "messages"("workspace_id", "to", "id");

-- CreateIndex
CREATE INDEX "messages_workspace_id_from_id_idx" ON "messages"("workspace_id", "from", "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_provider_sid_provider_account_key" ON "messages"("provider_sid", "provider_account");

-- CreateIndex
CREATE INDEX "message_events_message_id_idx" ON "message_events"("message_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "orphan_callbacks_provider_sid_provider_account_idx" ON "orphan_callbacks"("provider_sid", "provider_account");

-- CreateIndex
CREATE INDEX "orphan_callbacks_received_at_idx" ON "orphan_callbacks"("received_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_configurations" ADD CONSTRAINT "provider_configurations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "opt_outs" ADD CONSTRAINT "opt_outs_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_counters" ADD CONSTRAINT "event_counters_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what a Prisma schema can't express.

-- At most one default number in a workspace.
CREATE UNIQUE INDEX "phone_numbers_one_default_idx" ON "phone_numbers"("workspace_id") WHERE "is_default";

-- The sweeper's only question: which rows are owed a look? Finished rows are not in it.
CREATE INDEX "messages_due_at_idx" ON "messages"("due_at") WHERE "due_at" IS NOT NULL;
