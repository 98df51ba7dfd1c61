-- A workspace has one default account, which stays in provider_configurations: the release before reads
-- and writes it there by its workspace. The other accounts are in provider_accounts. By inheritance, a
-- query of provider_accounts reads and updates both, so that this release sees all accounts and the
-- release before sees the default one alone.
ALTER TABLE "provider_configurations"
  ADD COLUMN "name" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "enabled" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "is_default" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "is_routed" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "recovered_at" TIMESTAMPTZ(3);

CREATE TABLE "provider_accounts" (LIKE "provider_configurations" INCLUDING DEFAULTS);
ALTER TABLE "provider_accounts"
  ALTER COLUMN "is_default" SET DEFAULT false,
  ADD CONSTRAINT "provider_accounts_pkey" PRIMARY KEY ("id"),
  ADD CONSTRAINT "provider_accounts_workspace_id_fkey" FOREIGN KEY ("workspace_id")
    REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE UNIQUE INDEX "provider_accounts_workspace_id_account_sid_key"
  ON "provider_accounts"("workspace_id", "account_sid");
CREATE INDEX "provider_accounts_account_sid_idx" ON "provider_accounts"("account_sid");
ALTER TABLE "provider_configurations" INHERIT "provider_accounts";

CREATE INDEX "provider_configurations_id_idx" ON "provider_configurations"("id");

-- Null: the default account of the workspace.
ALTER TABLE "phone_numbers"
  ADD COLUMN "provider_id" UUID,
  ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'long_code';

ALTER TABLE "messages"
  ADD COLUMN "proved_resends" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "failed_accounts" TEXT[];

CREATE TABLE "workspace_routing" (
  "workspace_id" UUID NOT NULL,
  "rules" JSONB NOT NULL DEFAULT '[]',
  "failover" BOOLEAN NOT NULL DEFAULT false,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "workspace_routing_pkey" PRIMARY KEY ("workspace_id"),
  CONSTRAINT "workspace_routing_workspace_id_fkey" FOREIGN KEY ("workspace_id")
    REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- With several accounts, the event must name the one that has changed.
CREATE OR REPLACE FUNCTION webhook_provider_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  status text := webhook_provider_status(NEW.refused_since, NEW.failing_since);
BEGIN
  PERFORM add_webhook_event(NEW.workspace_id, 'provider.status_changed', now(),
    jsonb_build_object('id', NEW.id, 'type', NEW.type, 'name', NEW.name, 'status', status,
      'status_since', iso_time(COALESCE(NEW.refused_since, NEW.failing_since)),
      'status_detail', CASE status WHEN 'ok' THEN NULL
        WHEN 'failing' THEN NEW.failing_detail ELSE NEW.refused_detail END), NULL);
  RETURN NULL;
END
$$;

-- Triggers are not inherited: the other accounts report their changes as the default one does.
CREATE TRIGGER webhook_provider_changed AFTER UPDATE ON provider_accounts
  FOR EACH ROW WHEN (webhook_provider_status(OLD.refused_since, OLD.failing_since)
    <> webhook_provider_status(NEW.refused_since, NEW.failing_since))
  EXECUTE FUNCTION webhook_provider_changed();
