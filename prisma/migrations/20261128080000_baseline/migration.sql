-- The schema of Switchboard 0.1.0, by domain: the tables of each, then their indexes, then functions and triggers. What each
-- column means is in schema.prisma. Prisma cannot express partial indexes, indexes of expressions, checks, storage
-- parameters, functions, triggers and views, so they are only here.
--
-- Foreign keys to a workspace delete its rows with it. Messages, events and counts have none: retention deletes them in small
-- steps.

-- Returns a UUIDv7 (RFC 9562) of a given time, for ids that are made in the database. PostgreSQL has such a function from 18 on.
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

-- Returns the day, in UTC, of the time inside a UUIDv7. Counts are by this day and not by `created_at`, because a range of
-- days is then a range of ids.
CREATE FUNCTION uuid_v7_day(id uuid) RETURNS date
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT date '1970-01-01'
    + (('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 86400000)::int
$$;

-- ## Users and workspaces

-- A user of the dashboard.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  created_at timestamptz(3) NOT NULL,
  email_confirmed_at timestamptz(3),
  pending_email text
);

-- A login. The token itself is never stored.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  user_agent text,
  sign_in_method text NOT NULL DEFAULT 'password' CHECK (sign_in_method IN ('password', 'single_sign_on', 'link'))
);

-- A user at an identity provider.
CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  email text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_sign_in_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (issuer, subject)
);

-- A link that was sent by mail, or printed by a command. A user has one of each purpose, so a newer one replaces it.
CREATE TABLE account_tokens (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  purpose text NOT NULL,
  token_hash bytea NOT NULL,
  email text NOT NULL,
  is_mailed boolean NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, purpose)
);

-- A change of an account, until it is copied to the audit trail of each workspace of the user.
CREATE TABLE account_changes (
  id uuid PRIMARY KEY DEFAULT uuid_v7(now()),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  by_operator boolean NOT NULL,
  action text NOT NULL,
  detail jsonb NOT NULL,
  ip text,
  workspace_ids uuid[] NOT NULL
);

-- The authenticator app of a user. It counts from its confirmation on.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  sealed_secret text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  confirmed_at timestamptz(3),
  last_step integer NOT NULL DEFAULT 0
);

-- A code that replaces the app once. Its use deletes it.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE ON UPDATE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

-- A mail that a worker has to send. It has no token: the worker creates it for each attempt.
CREATE TABLE mails (
  key text PRIMARY KEY,
  kind text NOT NULL,
  recipient text NOT NULL,
  user_id uuid REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  workspace_id uuid,
  version integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  last_error text
);

-- The data of test mode is in a workspace of its own. Its id is that of the workspace with version 8 in place of 7.
-- packages/core/src/workspace-mode.ts has the same rule.
CREATE FUNCTION is_test_workspace(workspace uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT get_byte(uuid_send(workspace), 6) >> 4 = 8
$$;

CREATE FUNCTION live_workspace_of(workspace uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN get_byte(uuid_send(workspace), 6) >> 4 = 8
    THEN overlay(workspace::text PLACING '7' FROM 15 FOR 1)::uuid ELSE workspace END
$$;

-- Whether a text is sent as it is, or in GSM-7 if plain characters make that possible.
CREATE TYPE message_encoding AS ENUM ('as_is', 'prefer_gsm7');

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  country text,
  opt_out_reply text,
  opt_in_reply text,
  help_reply text,
  opt_out_words text[] DEFAULT ARRAY[]::text[],
  opt_in_words text[] DEFAULT ARRAY[]::text[],
  help_words text[] DEFAULT ARRAY[]::text[],
  own_keywords jsonb NOT NULL DEFAULT '{}',
  require_second_factor boolean NOT NULL DEFAULT false,
  encoding message_encoding NOT NULL DEFAULT 'as_is',
  created_at timestamptz(3) NOT NULL,
  inbox_since uuid NOT NULL DEFAULT uuid_v7(now()),
  closed_at timestamptz(3),
  next_step_at timestamptz(3)
);

CREATE TYPE role AS ENUM ('owner', 'member', 'viewer');

CREATE TABLE members (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  role role NOT NULL,
  created_at timestamptz(3) NOT NULL,
  is_from_group boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, user_id)
);

-- An invitation of an email address to a workspace. Accepting it deletes it.
CREATE TABLE invites (
  id uuid NOT NULL DEFAULT uuid_v7(now()),
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  email text NOT NULL,
  role role NOT NULL,
  token_hash bytea NOT NULL,
  mail_token_hash bytea,
  invited_by uuid NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, email)
);

-- The credential of a program. The key itself is shown once and never stored.
CREATE TABLE api_keys (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  key_hash bytea NOT NULL,
  prefix text NOT NULL,
  last4 text NOT NULL,
  -- Counts the secrets of the key. A rotation replaces the secret and adds 1.
  version int NOT NULL DEFAULT 1,
  -- Scopes of packages/core/src/access/key-scopes.ts.
  scopes text[] NOT NULL DEFAULT ARRAY['*']::text[],
  -- Networks in CIDR notation; none for any address.
  allowed_ips text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip text,
  revoked_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);

-- A secret of an API key that a rotation replaced. It works until it ends.
CREATE TABLE replaced_keys (
  workspace_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  version int NOT NULL,
  key_hash bytea NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, api_key_id, version),
  FOREIGN KEY (workspace_id, api_key_id) REFERENCES api_keys ON DELETE CASCADE ON UPDATE CASCADE
);

-- A change in a workspace, or of the account of a member, and who made it.
CREATE TABLE audit_entries (
  id uuid NOT NULL DEFAULT uuid_v7(now()),
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  user_id uuid REFERENCES users ON DELETE SET NULL ON UPDATE CASCADE,
  api_key_id uuid,
  action text NOT NULL,
  target text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  ip text,
  PRIMARY KEY (workspace_id, id),
  -- Keys are revoked, and deleted only with their workspace.
  FOREIGN KEY (workspace_id, api_key_id) REFERENCES api_keys ON DELETE NO ACTION ON UPDATE CASCADE
);

CREATE UNIQUE INDEX users_email_key ON users(email);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions(token_hash);
CREATE UNIQUE INDEX account_tokens_token_hash_key ON account_tokens(token_hash);
CREATE INDEX account_changes_user_id_idx ON account_changes(user_id);
CREATE INDEX mails_next_attempt_at_idx ON mails(next_attempt_at);
CREATE UNIQUE INDEX user_identities_user_id_issuer_key ON user_identities(user_id, issuer);
CREATE INDEX sessions_user_id_idx ON sessions(user_id);
CREATE INDEX sessions_expires_at_idx ON sessions(expires_at);
CREATE INDEX workspaces_next_step_at_idx ON workspaces(next_step_at);
CREATE INDEX members_user_id_idx ON members(user_id);
CREATE UNIQUE INDEX invites_token_hash_key ON invites(token_hash);
CREATE UNIQUE INDEX invites_mail_token_hash_key ON invites(mail_token_hash);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys(key_hash);
CREATE UNIQUE INDEX replaced_keys_key_hash_key ON replaced_keys(key_hash);

-- ## Provider accounts and phone numbers

CREATE TYPE on_unknown AS ENUM ('resend', 'fail');

-- An account of a workspace at a messaging provider.
CREATE TABLE provider_accounts (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  type text NOT NULL,
  vendor_account_id text NOT NULL,
  sealed_secret text NOT NULL,
  secret_last4 text NOT NULL,
  sender_pool text,
  on_unknown on_unknown NOT NULL DEFAULT 'resend',
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  refused_since timestamptz(3),
  refused_detail text,
  verified_credentials text,
  failing_since timestamptz(3),
  failing_detail text,
  probe_at timestamptz(3),
  probes integer NOT NULL DEFAULT 0,
  inbound_check_at timestamptz(3),
  name text NOT NULL DEFAULT '',
  enabled boolean NOT NULL DEFAULT true,
  is_default boolean NOT NULL DEFAULT false,
  is_routed boolean NOT NULL DEFAULT false,
  recovered_at timestamptz(3),
  country text,
  PRIMARY KEY (workspace_id, id),
  -- A test workspace has no account at a vendor. Not a function, so that a dump can be restored in any order.
  CONSTRAINT provider_accounts_of_test_mode_check
    CHECK (type = 'sandbox' OR get_byte(uuid_send(workspace_id), 6) >> 4 <> 8)
);

-- The id of an account that was removed, which the account gets back when it is added again: its messages still have
-- it, and receipts may still arrive.
CREATE TABLE removed_accounts (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  vendor_account_id text NOT NULL,
  provider_id uuid NOT NULL,
  removed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (workspace_id, vendor_account_id)
);

-- How the messages of a workspace are shared among its provider accounts.
CREATE TABLE workspace_routing (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  rules jsonb NOT NULL DEFAULT '[]',
  failover boolean NOT NULL DEFAULT false,
  updated_at timestamptz(3) NOT NULL
);

-- A phone number that the workspace sends from.
CREATE TABLE phone_numbers (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  number text NOT NULL,
  label text NOT NULL DEFAULT '',
  provider_id uuid,
  kind text NOT NULL DEFAULT 'long_code',
  is_default boolean NOT NULL DEFAULT false,
  capabilities text[],
  created_at timestamptz(3) NOT NULL,
  inbound_url text,
  inbound_since timestamptz(3),
  inbound_read_until timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);

-- The right of a worker to hold one session with a provider account. All workers together hold no more
-- sessions than the account has places.
CREATE TABLE provider_session_leases (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  provider_id uuid NOT NULL,
  place integer NOT NULL,
  holder uuid NOT NULL,
  leased_until timestamptz(3) NOT NULL,
  state text NOT NULL,
  wanted_until timestamptz(3),
  PRIMARY KEY (workspace_id, provider_id, place)
);

-- A received message, or part of one, that a provider delivered in a session and may deliver again, because
-- the connection could have ended before the response arrived. Deleted a few seconds after the response.
CREATE TABLE session_deliveries (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  provider_id uuid NOT NULL,
  digest bytea NOT NULL,
  connection uuid NOT NULL,
  is_stored boolean NOT NULL DEFAULT false,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);

-- The parts of a long message, until all have arrived or an hour has passed.
CREATE TABLE long_inbound_messages (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  provider_id uuid NOT NULL,
  vendor_account_id text NOT NULL,
  "from" text NOT NULL,
  "to" text NOT NULL,
  reference integer NOT NULL,
  total integer NOT NULL,
  parts jsonb NOT NULL,
  contents jsonb NOT NULL DEFAULT '{}',
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- What a provider delivered in sessions of an account and the service did not understand, by kind.
CREATE TABLE provider_problems (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  provider_id uuid NOT NULL,
  kind text NOT NULL,
  count integer NOT NULL,
  example text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  latest_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (workspace_id, provider_id, kind)
);

-- A provider's webhook has only the account's id.
CREATE UNIQUE INDEX provider_accounts_id_key ON provider_accounts(id);
CREATE INDEX provider_accounts_vendor_account_id_idx ON provider_accounts(vendor_account_id);
CREATE INDEX provider_accounts_type_idx ON provider_accounts(type);
CREATE UNIQUE INDEX provider_accounts_workspace_id_vendor_account_id_key ON provider_accounts(workspace_id, vendor_account_id);
CREATE UNIQUE INDEX phone_numbers_workspace_id_number_key ON phone_numbers(workspace_id, number);
CREATE INDEX session_deliveries_workspace_id_provider_id_digest_idx ON session_deliveries(workspace_id, provider_id, digest);
CREATE INDEX long_inbound_messages_due_at_idx ON long_inbound_messages(due_at);
CREATE UNIQUE INDEX long_inbound_messages_parts_key
  ON long_inbound_messages(workspace_id, provider_id, "from", "to", reference, total);
CREATE INDEX provider_problems_latest_at_idx ON provider_problems(latest_at);

-- At most one default account and one default number in a workspace.
CREATE UNIQUE INDEX provider_accounts_one_default_idx ON provider_accounts(workspace_id) WHERE is_default;
CREATE UNIQUE INDEX phone_numbers_one_default_idx ON phone_numbers(workspace_id) WHERE is_default;

-- ## Messages

CREATE TYPE direction AS ENUM ('inbound', 'outbound');

CREATE TYPE message_status AS ENUM ('scheduled', 'queued', 'sending', 'sent', 'canceled', 'failed', 'undelivered', 'delivered', 'received', 'read');

-- The state of delivery to the provider, apart from the status that users see.
-- The transitions are in packages/core/src/dispatch.
CREATE TYPE dispatch_state AS ENUM ('ready', 'inflight', 'accepted', 'rejected', 'unknown', 'unresolved', 'canceled');

-- What sent a message: a user, an API key, or the service in reply to a keyword.
CREATE TYPE sender_kind AS ENUM ('user', 'api_key', 'opt_out_reply', 'opt_in_reply', 'help_reply');

-- A message is in two tables. `message_records` has each message once: what was asked, and, once the message is finished,
-- its state. `message_progress` has the state of the messages in progress, which changes several times and is written back
-- once. So the many entries of the history's indexes are written once for each message.
--
-- A message is in progress exactly while the sweeper must process it again (`due_at`). Then all columns of its record that
-- move, from `status` on, are null. The view `messages` shows each message whole.
CREATE TABLE message_records (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  direction direction NOT NULL,
  "to" text NOT NULL,
  -- The number outside the workspace. Only messages that were sent are in progress, so it is known from the start.
  counterpart text GENERATED ALWAYS AS (CASE direction WHEN 'inbound' THEN "from" ELSE "to" END) STORED,
  body text NOT NULL,
  media jsonb NOT NULL DEFAULT '[]',
  segments integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  scheduled_at timestamptz(3),
  ignores_opt_out boolean NOT NULL DEFAULT false,
  request_id text,
  trace_parent text,
  sent_by sender_kind,
  sent_by_id uuid,
  sent_by_name text,
  repeat_of uuid,
  -- What the message is about in the client's system, and pairs of texts.
  reference text,
  -- Not jsonb, which would change the order of the pairs.
  metadata json,
  -- Null if no character was replaced.
  encoding message_encoding,
  status message_status,
  "from" text,
  error_code text,
  error_detail text,
  updated_at timestamptz(3),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  provider_id uuid,
  vendor_account_id text,
  provider_sid text,
  provider_status message_status,
  error_status message_status,
  sid_adopted boolean DEFAULT false,
  dispatch dispatch_state,
  version integer DEFAULT 0,
  attempt integer DEFAULT 0,
  resends integer DEFAULT 0,
  proved_resends integer DEFAULT 0,
  failed_accounts uuid[],
  lookups integer DEFAULT 0,
  started_at timestamptz(3),
  first_attempt_at timestamptz(3),
  last_event bigint,
  PRIMARY KEY (workspace_id, id)
);

-- The messages in progress, which were all sent from here. A row is short: it is written with each change.
CREATE TABLE message_progress (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  due_at timestamptz(3) NOT NULL,
  not_before timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  started_at timestamptz(3),
  first_attempt_at timestamptz(3),
  -- The start of an attempt, until the next event of the message, which takes it over.
  attempt_started_at timestamptz(3),
  attempt_detail text,
  last_event bigint,
  status message_status NOT NULL,
  dispatch dispatch_state NOT NULL,
  provider_status message_status,
  error_status message_status,
  version integer NOT NULL DEFAULT 0,
  attempt integer NOT NULL DEFAULT 0,
  resends integer NOT NULL DEFAULT 0,
  proved_resends integer NOT NULL DEFAULT 0,
  lookups integer NOT NULL DEFAULT 0,
  sid_adopted boolean NOT NULL DEFAULT false,
  -- Whether the record has a `scheduled_at`.
  is_scheduled boolean NOT NULL DEFAULT false,
  "to" text NOT NULL,
  "from" text,
  -- Also in the record, which a filter by API keys would have to read for each message.
  sent_by_id uuid,
  provider_id uuid,
  vendor_account_id text,
  provider_sid text,
  error_code text,
  error_detail text,
  failed_accounts uuid[],
  PRIMARY KEY (workspace_id, id)
-- Often almost empty. Its file keeps its size, so that PostgreSQL does not plan to read all of it, with a plan that it keeps
-- when there are many messages again. See packages/database/src/size-class.ts.
) WITH (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 2000);

-- The identifiers of the providers: one row for each message that has one. An identifier belongs to one message, wherever
-- the rest of the message is.
CREATE TABLE provider_sids (
  provider_sid text NOT NULL,
  vendor_account_id text NOT NULL,
  workspace_id uuid NOT NULL,
  message_id uuid NOT NULL,
  direction direction NOT NULL,
  PRIMARY KEY (provider_sid, vendor_account_id)
);

-- Each message. A reader that uses only columns of the record reads only the record.
CREATE VIEW messages AS
SELECT r.id, r.workspace_id, r.direction, r."to", COALESCE(p."from", r."from") AS "from", r.counterpart, r.body, r.media,
  r.segments, COALESCE(p.status, r.status) AS status, COALESCE(p.error_code, r.error_code) AS error_code,
  COALESCE(p.error_detail, r.error_detail) AS error_detail, r.created_at,
  COALESCE(p.updated_at, r.updated_at) AS updated_at, r.scheduled_at, COALESCE(p.sent_at, r.sent_at) AS sent_at,
  COALESCE(p.delivered_at, r.delivered_at) AS delivered_at, COALESCE(p.provider_id, r.provider_id) AS provider_id,
  COALESCE(p.vendor_account_id, r.vendor_account_id) AS vendor_account_id,
  COALESCE(p.provider_sid, r.provider_sid) AS provider_sid,
  COALESCE(p.provider_status, r.provider_status) AS provider_status,
  COALESCE(p.error_status, r.error_status) AS error_status, COALESCE(p.sid_adopted, r.sid_adopted) AS sid_adopted,
  COALESCE(p.dispatch, r.dispatch) AS dispatch, COALESCE(p.version, r.version) AS version,
  COALESCE(p.attempt, r.attempt) AS attempt, COALESCE(p.resends, r.resends) AS resends,
  COALESCE(p.proved_resends, r.proved_resends) AS proved_resends,
  COALESCE(p.failed_accounts, r.failed_accounts) AS failed_accounts, COALESCE(p.lookups, r.lookups) AS lookups,
  p.not_before, p.due_at, COALESCE(p.started_at, r.started_at) AS started_at,
  COALESCE(p.first_attempt_at, r.first_attempt_at) AS first_attempt_at, r.ignores_opt_out, r.request_id, r.trace_parent,
  r.sent_by, r.sent_by_id, r.sent_by_name, r.repeat_of, r.reference, r.metadata, r.encoding, COALESCE(p.last_event, r.last_event) AS last_event
FROM message_records r LEFT JOIN message_progress p ON p.workspace_id = r.workspace_id AND p.id = r.id;

-- The first response to a request with an Idempotency-Key, kept for 24 hours.
CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  message_id uuid NOT NULL,
  response jsonb,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, key)
);

-- A status callback for an identifier that no row has yet; kept until a row has it.
CREATE TABLE unmatched_callbacks (
  id uuid NOT NULL DEFAULT uuid_v7(now()),
  workspace_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  vendor_account_id text NOT NULL,
  provider_sid text NOT NULL,
  callback jsonb NOT NULL,
  received_at timestamptz(3) NOT NULL,
  match_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);

-- The history of a number outside, in progress or not, and the messages received from it, which a team has read or not.
CREATE INDEX message_records_counterpart_idx ON message_records(workspace_id, counterpart, id);
CREATE INDEX message_records_received_idx ON message_records(workspace_id, counterpart, id) WHERE direction = 'inbound';
-- The filters of finished messages: an entry is written once, when the message is finished. With the primary key and the
-- indexes of `message_progress`, every filter and every pair of filters finds its page in order. The account, the sender
-- and the number outside are in the entries, so filters by them, or by the country of the number, read no messages.
CREATE INDEX message_records_history_idx ON message_records(workspace_id, direction, status, id)
  INCLUDE (provider_id, sent_by_id, counterpart) WHERE status IS NOT NULL;
-- The workspace's own numbers.
CREATE INDEX message_records_sent_from_idx ON message_records(workspace_id, "from", status, id)
  WHERE direction = 'outbound' AND status IS NOT NULL;
CREATE INDEX message_records_received_at_idx ON message_records(workspace_id, "to", status, id)
  WHERE direction = 'inbound' AND status IS NOT NULL;
-- Only messages with an error, only repeats, only messages with a reference, and only messages that people sent are in these
-- indexes.
CREATE INDEX message_records_error_code_idx ON message_records(workspace_id, error_code, id) WHERE error_code IS NOT NULL;
CREATE INDEX message_records_repeat_of_idx ON message_records(repeat_of, id) WHERE repeat_of IS NOT NULL;
CREATE INDEX message_records_reference_idx ON message_records(workspace_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX message_records_sent_by_user_idx ON message_records(workspace_id, sent_by_id, id) WHERE sent_by = 'user';

-- The sweeper takes what is due by state and workspace, so that a backlog of one delays no other. New messages are separate:
-- their hints may be in the queue. Only queries of `due_messages` can use this index: one that finds messages by their keys
-- may be planned while the table is almost empty, and would later read the whole backlog of a workspace here.
CREATE INDEX message_progress_due_idx
  ON message_progress(dispatch, (dispatch = 'ready' AND attempt = 0 AND NOT is_scheduled), workspace_id, due_at)
  WHERE due_at > '-infinity';
CREATE VIEW due_messages AS SELECT * FROM message_progress WHERE due_at > '-infinity';
CREATE INDEX message_progress_status_idx ON message_progress(workspace_id, status, id);
-- Only messages that are sent again after an error.
CREATE INDEX message_progress_error_code_idx ON message_progress(workspace_id, error_code, id) WHERE error_code IS NOT NULL;
-- A lookup's question: which other messages, of any workspace, may be the one that the provider has?
CREATE INDEX message_progress_unsettled_idx ON message_progress("to", vendor_account_id)
  WHERE dispatch IN ('inflight', 'unknown');

-- A provider may write an identifier differently in a receipt: in capitals, with zeros at the start, or in another base
-- (`toSidKey` in core computes the same). Only accounts with sessions have an @ in their identifier, so messages of
-- other accounts have no entry.
CREATE INDEX provider_sids_key_idx
  ON provider_sids(vendor_account_id, (ltrim(lower(split_part(provider_sid, '#', 1)), '0')), message_id)
  WHERE vendor_account_id LIKE '%@%' AND direction = 'outbound';

CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys(created_at);
CREATE INDEX unmatched_callbacks_provider_sid_vendor_account_id_idx ON unmatched_callbacks(provider_sid, vendor_account_id);
CREATE INDEX unmatched_callbacks_received_at_idx ON unmatched_callbacks(received_at);
CREATE INDEX unmatched_callbacks_match_at_idx ON unmatched_callbacks(workspace_id, provider_id, match_at)
  WHERE match_at IS NOT NULL;
CREATE INDEX unmatched_callbacks_unmatched_idx ON unmatched_callbacks(workspace_id, provider_id, received_at)
  WHERE match_at IS NOT NULL;

-- ## Events

CREATE TYPE event_type AS ENUM ('created', 'scheduled', 'attempt_started', 'attempt_failed', 'outcome_unknown', 'provider_accepted', 'provider_rejected', 'status_changed', 'canceled', 'received');

-- A past fact about a message; the log that WebSocket clients resume from.
CREATE TABLE message_events (
  workspace_id uuid NOT NULL,
  seq bigint NOT NULL,
  id uuid NOT NULL DEFAULT uuid_v7(now()),
  message_id uuid NOT NULL,
  type event_type NOT NULL,
  at timestamptz(3) NOT NULL,
  detail text,
  visible boolean NOT NULL,
  status message_status NOT NULL,
  "from" text,
  provider_sid text,
  error_code text,
  error_detail text,
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  provider_id uuid,
  provider_type text,
  message_version integer NOT NULL,
  previous_seq bigint,
  -- The start of the attempt since the event before: it has no row of its own.
  attempt_started_at timestamptz(3),
  attempt_status message_status,
  attempt_detail text,
  PRIMARY KEY (workspace_id, seq)
);

-- The last event number of each workspace in each slot. Each process has its own slot, so that no two processes wait for
-- each other's commits. Slot 0, which every workspace has, is for processes without one, and the lock of statements that
-- write opt-outs. A row changes with every batch. With room on its page the new version stays there and no index
-- changes (HOT).
CREATE TABLE event_counters (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  slot smallint NOT NULL DEFAULT 0,
  last_seq bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, slot)
) WITH (fillfactor = 25);

-- Distinguishes states of the database that do not continue each other; one row. Clients' cursors hold
-- the epoch (`current_event_epoch()`): the WAL timeline, which a failover changes, and `restore_id`.
CREATE TABLE event_epoch (
  id integer PRIMARY KEY DEFAULT 1,
  restore_id bigint NOT NULL DEFAULT 0
);
ALTER TABLE event_epoch ADD CONSTRAINT event_epoch_one_row CHECK (id = 1);

CREATE INDEX message_events_message_id_idx ON message_events(message_id);

-- Returns the id of the start of an attempt: a UUIDv7 if the id of the message is one.
CREATE FUNCTION attempt_event_id(message_id uuid, at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0')
    || substr(replace(message_id::text, '-', ''), 13))::uuid
$$;

-- The events of each message, with the starts of its attempts, in the order of `message_version`. A claim increments the
-- version and writes no event; the next event, or until then the message, has the start of its attempt.
CREATE VIEW message_timeline AS
SELECT workspace_id, message_id, message_version, id, type, status, at, detail FROM message_events
UNION ALL
SELECT workspace_id, message_id, message_version - 1, attempt_event_id(message_id, attempt_started_at),
  'attempt_started', attempt_status, attempt_started_at, attempt_detail
FROM message_events WHERE attempt_started_at IS NOT NULL
UNION ALL
SELECT workspace_id, id, version, attempt_event_id(id, attempt_started_at),
  'attempt_started', status, attempt_started_at, attempt_detail
FROM message_progress WHERE attempt_started_at IS NOT NULL;

-- Returns the slot of an event number: see packages/core/src/events/event-position.ts.
CREATE FUNCTION event_slot_of(seq bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN seq >= 0 THEN 0 ELSE ((-seq + (1::bigint << 48) - 1) >> 48)::integer END
$$;

-- Returns 16 hexadecimal digits. The WAL file's name begins with the timeline; unlike pg_control_checkpoint(), it is right
-- from the moment of a promotion.
CREATE FUNCTION current_event_epoch() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || lpad(to_hex(restore_id), 8, '0')
  FROM event_epoch
$$;

INSERT INTO event_epoch DEFAULT VALUES;

-- ## Counts

-- Today's rows change with every batch. With room on their pages the new versions stay there, no index changes, and the old
-- ones are cleared on the way (HOT) instead of by vacuum.
-- The number of messages, exact at any moment, because the transaction that changes them changes it. It is the sum over this
-- table and all slots of `message_slot_counts`, as the view `all_message_counts` returns it. Rows with 0 may exist.
CREATE TABLE message_counts (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  direction direction NOT NULL,
  status message_status NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, direction, status)
) WITH (fillfactor = 25, autovacuum_vacuum_scale_factor = 0.5, autovacuum_vacuum_threshold = 2000);

-- The part of the counts that the processes of one slot have changed; `n` may be negative. The counts
-- of past days are added to `message_counts` from time to time.
CREATE TABLE message_slot_counts (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  slot smallint NOT NULL,
  direction direction NOT NULL,
  status message_status NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, slot, direction, status)
) WITH (fillfactor = 25, autovacuum_vacuum_scale_factor = 0.5, autovacuum_vacuum_threshold = 2000);

CREATE VIEW all_message_counts AS
SELECT workspace_id, day, direction, status, n FROM message_counts
UNION ALL
SELECT workspace_id, day, direction, status, n FROM message_slot_counts;

-- Sent messages of past days by country, sender, account and person, and in classes of their time to delivery.
-- Workers add and correct them later; a day is read only if its sum is that of the exact counts.
CREATE TABLE message_breakdowns (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  status message_status NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (workspace_id, day, dimension, value, status)
);

-- Changes of messages that a sum of the exact counts may not show: a status that falls, or another account or
-- sender. The day is counted again, which deletes them.
CREATE TABLE message_recounts (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (workspace_id, day, id)
);

-- The rows that are compared with the exact counts.
CREATE INDEX message_breakdowns_all_idx ON message_breakdowns(workspace_id, day, status) INCLUDE (n) WHERE dimension = 'all';

-- Keeps the sum of the counts equal to count(*), in the transaction that changes the messages, whatever changes them: the
-- service, retention, psql. A message counts in the table that has its status. The statements of a message's path count
-- their own messages, in the slot of their process, so that two processes never wait for each other's commits, and declare
-- it with the time of the statement (packages/database/src/message-events/count-changes.ts). Triggers count all others, in
-- message_counts.
--
-- Locks: a statement's triggers run at its end, so the order is message rows, event numbers, rows of the counts; within a
-- table it is the order of the key, and rows whose count stays are not touched. So no two statements can wait for each
-- other here. A transaction that has changed messages should end before it changes others: it would take message rows
-- while it holds counts.
CREATE FUNCTION count_message_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('switchboard.counted_at', true) = statement_timestamp()::text THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), direction, status, count(*)
    FROM added WHERE status IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), direction, status, sum(change)
    FROM (
      SELECT workspace_id, id, direction, status, 1 AS change FROM added
      UNION ALL
      SELECT workspace_id, id, direction, status, -1 FROM removed
    ) changes
    WHERE status IS NOT NULL GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), direction, status, -count(*)
    FROM removed WHERE status IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
    -- The rest of the messages goes with their records.
    WITH progress AS (
      DELETE FROM message_progress p USING removed r WHERE p.workspace_id = r.workspace_id AND p.id = r.id
      RETURNING p.id, p.provider_sid, p.vendor_account_id
    )
    DELETE FROM provider_sids s USING (
      SELECT id, provider_sid, vendor_account_id FROM removed WHERE provider_sid IS NOT NULL
      UNION ALL
      SELECT id, provider_sid, vendor_account_id FROM progress WHERE provider_sid IS NOT NULL
    ) d
    WHERE s.provider_sid = d.provider_sid AND s.vendor_account_id = d.vendor_account_id AND s.message_id = d.id;
  ELSE
    DELETE FROM message_progress;
    DELETE FROM provider_sids;
    DELETE FROM message_counts;
    DELETE FROM message_slot_counts;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION count_message_progress() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('switchboard.counted_at', true) = statement_timestamp()::text THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), 'outbound', status, count(*)
    FROM added GROUP BY 1, 2, 4 ORDER BY 1, 2, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), 'outbound', status, sum(change)
    FROM (
      SELECT workspace_id, id, status, 1 AS change FROM added
      UNION ALL
      SELECT workspace_id, id, status, -1 FROM removed
    ) changes
    GROUP BY 1, 2, 4 HAVING sum(change) <> 0 ORDER BY 1, 2, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSE
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), 'outbound', status, -count(*)
    FROM removed GROUP BY 1, 2, 4 ORDER BY 1, 2, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER message_records_counted_insert AFTER INSERT ON message_records
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_message_records();
CREATE TRIGGER message_records_counted_update AFTER UPDATE ON message_records
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_message_records();
CREATE TRIGGER message_records_counted_delete AFTER DELETE ON message_records
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_message_records();
CREATE TRIGGER message_records_counted_truncate AFTER TRUNCATE ON message_records
  FOR EACH STATEMENT EXECUTE FUNCTION count_message_records();
CREATE TRIGGER message_progress_counted_insert AFTER INSERT ON message_progress
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_message_progress();
CREATE TRIGGER message_progress_counted_update AFTER UPDATE ON message_progress
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_message_progress();
CREATE TRIGGER message_progress_counted_delete AFTER DELETE ON message_progress
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_message_progress();

-- Adds up counts of days before `before` in message_counts, up to `max_rows` of them, and returns how many. The sums do not
-- change; there are fewer rows to read. Rows that a process is changing are skipped, so that neither side waits.
CREATE FUNCTION add_up_message_counts(before date, max_rows integer) RETURNS bigint LANGUAGE sql AS $$
  WITH taken AS (
    DELETE FROM message_slot_counts WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM message_slot_counts WHERE day < before LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING workspace_id, day, direction, status, n
  ),
  added AS (
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, day, direction, status, sum(n) FROM taken
    GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n
  )
  SELECT count(*) FROM taken
$$;

-- Workers count a day an hour after its end, so only messages of days that ended 30 minutes ago or earlier need a row; no
-- transaction takes the time in between. The condition is evaluated with the update, and the function is called only if
-- it is true. Other changes of a status show in the counts, which the same transaction changes.
CREATE FUNCTION record_message_recount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_recounts (workspace_id, day) VALUES (NEW.workspace_id, uuid_v7_day(NEW.id));
  RETURN NULL;
END
$$;

CREATE TRIGGER message_progress_recounted AFTER UPDATE ON message_progress FOR EACH ROW
  WHEN ((NEW.status < OLD.status
      OR (NEW.status = OLD.status AND (
        NEW.provider_id IS DISTINCT FROM OLD.provider_id
        OR NEW."from" IS DISTINCT FROM OLD."from")))
    AND uuid_v7_day(NEW.id) < ((now() - interval '30 minutes') AT TIME ZONE 'UTC')::date)
  EXECUTE FUNCTION record_message_recount();
-- A record that is written back or reopened does not show what its message was before, so its day is always counted again.
CREATE TRIGGER message_records_recounted AFTER UPDATE ON message_records FOR EACH ROW
  WHEN (NEW.direction = 'outbound' AND (
      NEW.status IS NULL OR OLD.status IS NULL
      OR NEW.status < OLD.status
      OR (NEW.status = OLD.status AND (
        NEW.provider_id IS DISTINCT FROM OLD.provider_id
        OR NEW."from" IS DISTINCT FROM OLD."from")))
    AND NEW.created_at < date_trunc('day', now() - interval '30 minutes', 'UTC'))
  EXECUTE FUNCTION record_message_recount();

-- ## Contacts and opt-outs

-- What a workspace stores about a person outside the workspace. Not an opt-out, and not needed to send.
CREATE TABLE contacts (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  number text NOT NULL,
  other_numbers text[] DEFAULT ARRAY[]::text[],
  name text NOT NULL,
  fields jsonb NOT NULL DEFAULT '{}',
  tags text[] DEFAULT ARRAY[]::text[],
  search_text text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- A field name that contacts of a workspace have. Triggers on `contacts` keep the rows.
CREATE TABLE contact_field_names (
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  contacts integer NOT NULL,
  PRIMARY KEY (workspace_id, name)
);

-- A recipient who opted out of the messages of this workspace.
CREATE TABLE opt_outs (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  number text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  is_added boolean NOT NULL DEFAULT false,
  latest_at timestamptz(3),
  -- The person was erased: `number` is a keyed hash.
  is_erased boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, number)
);

-- A request to erase a person. The numbers are removed when nothing with them is left.
CREATE TABLE erasures (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  number_hash text NOT NULL,
  numbers text[],
  before_id uuid NOT NULL,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  next_step_at timestamptz(3),
  erased_at timestamptz(3),
  total integer NOT NULL,
  erased integer NOT NULL DEFAULT 0,
  canceled integer NOT NULL DEFAULT 0,
  waiting integer NOT NULL DEFAULT 0,
  redacted integer NOT NULL DEFAULT 0,
  redact_failed integer NOT NULL DEFAULT 0,
  redact_unable integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, id)
);

-- A message whose copy at the provider has to be removed.
CREATE TABLE message_redactions (
  workspace_id uuid NOT NULL,
  erasure_id uuid NOT NULL,
  message_id uuid NOT NULL,
  provider_id uuid,
  provider_sid text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, erasure_id, message_id),
  FOREIGN KEY (workspace_id, erasure_id) REFERENCES erasures ON DELETE CASCADE ON UPDATE CASCADE
);

-- The latest time at which a number opted in, or a user removed its opt-out. A STOP that is found late
-- does not undo a later opt-in. Rows that are older than any such STOP are deleted.
CREATE TABLE opt_ins (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  number text NOT NULL,
  opted_in_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, number)
);

-- The latest reply to each keyword of each number, which limits replies. Rows older than a day are
-- deleted when new ones are added.
CREATE TABLE sent_keyword_replies (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  number text NOT NULL,
  keyword text NOT NULL,
  replied_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, number, keyword)
);

CREATE INDEX contacts_other_numbers_idx ON contacts USING GIN (other_numbers);
CREATE UNIQUE INDEX contacts_workspace_id_number_key ON contacts(workspace_id, number);
-- The order of the list: contacts without a name come last.
CREATE INDEX contacts_by_name_idx ON contacts(workspace_id, (name = ''), lower(name), id);

CREATE INDEX opt_outs_workspace_id_created_at_idx ON opt_outs(workspace_id, created_at);
CREATE INDEX opt_ins_opted_in_at_idx ON opt_ins(opted_in_at);
CREATE INDEX sent_keyword_replies_workspace_id_replied_at_idx ON sent_keyword_replies(workspace_id, replied_at);
-- The quota counts the opt-outs that users have added; those that phones have sent are not in the index.
CREATE INDEX opt_outs_added_idx ON opt_outs(workspace_id) WHERE is_added;
-- A claim looks whether its workspace has any.
CREATE INDEX opt_outs_erased_idx ON opt_outs(workspace_id) WHERE is_erased;

CREATE INDEX erasures_next_step_at_idx ON erasures(next_step_at);
CREATE INDEX message_redactions_next_attempt_at_idx ON message_redactions(next_attempt_at);
CREATE INDEX message_redactions_workspace_id_next_attempt_at_idx ON message_redactions(workspace_id, next_attempt_at);

-- Keeps contact_field_names, in the transaction that changes the contacts. Changes of the contacts of a workspace hold its
-- lock, so no two of them wait for each other here.
CREATE FUNCTION count_contact_field_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO contact_field_names AS c (workspace_id, name, contacts)
    SELECT workspace_id, field, count(*) FROM added, jsonb_object_keys(fields) field
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (workspace_id, name) DO UPDATE SET contacts = c.contacts + excluded.contacts;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM contact_field_names;
  ELSE
    IF TG_OP = 'DELETE' THEN
      INSERT INTO contact_field_names AS c (workspace_id, name, contacts)
      SELECT workspace_id, field, -count(*) FROM removed, jsonb_object_keys(fields) field
      GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (workspace_id, name) DO UPDATE SET contacts = c.contacts + excluded.contacts;
    ELSE
      INSERT INTO contact_field_names AS c (workspace_id, name, contacts)
      SELECT workspace_id, field, sum(change)
      FROM (
        SELECT workspace_id, field, 1 AS change FROM added, jsonb_object_keys(fields) field
        UNION ALL
        SELECT workspace_id, field, -1 FROM removed, jsonb_object_keys(fields) field
      ) changes
      GROUP BY 1, 2 HAVING sum(change) <> 0 ORDER BY 1, 2
      ON CONFLICT (workspace_id, name) DO UPDATE SET contacts = c.contacts + excluded.contacts;
    END IF;
    DELETE FROM contact_field_names
    WHERE contacts = 0 AND workspace_id IN (SELECT workspace_id FROM removed);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER contact_field_names_insert AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_contact_field_names();
CREATE TRIGGER contact_field_names_update AFTER UPDATE ON contacts
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_field_names();
CREATE TRIGGER contact_field_names_delete AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_contact_field_names();
CREATE TRIGGER contact_field_names_truncate AFTER TRUNCATE ON contacts
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_field_names();

-- ## Conversations

-- What a team has done about the messages of a number. There is no row before the first change, and a
-- message never writes here: what is unread, open or last is read from the messages.
CREATE TABLE conversations (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  number text NOT NULL,
  read_up_to uuid,
  closed_after uuid,
  assignee_id uuid REFERENCES users ON DELETE SET NULL ON UPDATE CASCADE,
  opt_out_suspected boolean NOT NULL DEFAULT false,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, number)
);

-- A note about a conversation, which only members see.
CREATE TABLE notes (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  number text NOT NULL,
  author_id uuid REFERENCES users ON DELETE SET NULL ON UPDATE CASCADE,
  body text NOT NULL,
  mentions uuid[] DEFAULT ARRAY[]::uuid[],
  mention_ranges jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3),
  edited_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);

-- A text that members insert into a reply.
CREATE TABLE saved_replies (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- Filters of the messages that a workspace uses often.
CREATE TABLE saved_views (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  filters jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE INDEX conversations_workspace_id_assignee_id_updated_at_idx ON conversations(workspace_id, assignee_id, updated_at);
CREATE INDEX notes_workspace_id_number_id_idx ON notes(workspace_id, number, id);
CREATE INDEX notes_mentions_idx ON notes USING GIN (mentions);
CREATE UNIQUE INDEX saved_replies_workspace_id_name_key ON saved_replies(workspace_id, name);
CREATE UNIQUE INDEX saved_views_workspace_id_name_key ON saved_views(workspace_id, name);

-- ## Webhooks

-- The row of an endpoint changes with each batch: room for new versions keeps them in its page.
-- A URL that receives the events of a workspace. docs/decisions/workspace-webhooks.md
CREATE TABLE webhook_endpoints (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  event_types text[],
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  sealed_secret text NOT NULL,
  previous_secret text,
  previous_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  revision integer NOT NULL DEFAULT 0,
  position bigint[],
  next_sequence bigint NOT NULL DEFAULT 1,
  epoch text NOT NULL DEFAULT current_event_epoch(),
  lease_owner uuid,
  lease_until timestamptz(3),
  not_before timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  last_error text,
  last_success_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 50);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_disabled_reason
  CHECK (enabled = (disabled_reason IS NULL));

-- Events with consecutive numbers for an endpoint, written before the first attempt to deliver them.
CREATE TABLE webhook_batches (
  workspace_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  first_sequence bigint NOT NULL,
  events bigint[],
  claimed_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  statuses smallint[],
  durations_ms integer[],
  delivered integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, endpoint_id, first_sequence),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints ON DELETE CASCADE ON UPDATE CASCADE
);

-- A delivery that failed at first, was replayed, or is of an event that is not in `message_events`.
CREATE TABLE webhook_deliveries (
  workspace_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  sequence bigint NOT NULL,
  event_seq bigint,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  message_id uuid,
  data jsonb,
  event_at timestamptz(3) NOT NULL,
  status text NOT NULL,
  attempts jsonb NOT NULL DEFAULT '[]',
  tries integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  claim uuid,
  is_replay boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, endpoint_id, sequence),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_status
  CHECK (status IN ('pending', 'delivered', 'failed') AND (status = 'pending') = (next_attempt_at IS NOT NULL));

-- An event that is not in `message_events`, for one endpoint, until it has a number.
CREATE TABLE webhook_other_events (
  workspace_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- The order of the events. Statements of one transaction have the same now(), but not the same clock_timestamp().
  added_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  data jsonb NOT NULL,
  event_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, endpoint_id, added_at, event_id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX webhook_batches_claimed_at_idx ON webhook_batches(claimed_at);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries(created_at);
-- At most one per endpoint: the batch that is being delivered.
CREATE UNIQUE INDEX webhook_batches_open_key ON webhook_batches(workspace_id, endpoint_id) WHERE finished_at IS NULL;
CREATE INDEX webhook_deliveries_workspace_id_message_id_idx ON webhook_deliveries(workspace_id, message_id);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries(workspace_id, endpoint_id, next_attempt_at)
  WHERE status = 'pending';

-- Returns the first event of a slot that a webhook endpoint of the workspace has not passed, or that is in a batch or
-- a delivery that is not finished; NULL if there is none.
CREATE FUNCTION first_needed_by_webhooks(workspace uuid, slot integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT min(seq) FROM (
    SELECT COALESCE((SELECT max(p) FROM unnest(w.position) AS p WHERE event_slot_of(p) = slot),
      -(slot::bigint << 48)) + 1 AS seq
    FROM webhook_endpoints w WHERE w.workspace_id = workspace AND w.enabled
    UNION ALL
    SELECT item FROM webhook_endpoints w
    JOIN webhook_batches b ON b.workspace_id = workspace AND b.endpoint_id = w.id AND b.finished_at IS NULL, unnest(b.events) AS item
    WHERE w.workspace_id = workspace AND event_slot_of(item) = slot
    UNION ALL
    SELECT d.event_seq FROM webhook_endpoints w
    JOIN webhook_deliveries d ON d.workspace_id = workspace AND d.endpoint_id = w.id AND d.status = 'pending'
    WHERE w.workspace_id = workspace AND event_slot_of(d.event_seq) = slot
  ) needed
$$;

-- Adds an event that is not in message_events for each endpoint of the workspace that receives its type.
CREATE FUNCTION add_webhook_event(workspace uuid, type text, at timestamptz, data jsonb, except_endpoint uuid)
RETURNS void LANGUAGE sql AS $$
  WITH event AS MATERIALIZED (SELECT uuid_v7(now()) AS id)
  INSERT INTO webhook_other_events (workspace_id, endpoint_id, event_id, event_type, data, event_at)
  SELECT workspace, e.id, event.id, type, data, at
  FROM webhook_endpoints e, event
  WHERE e.workspace_id = workspace AND (e.event_types = '{}' OR type = ANY(e.event_types))
    AND e.id IS DISTINCT FROM except_endpoint
$$;

CREATE FUNCTION iso_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Opt-outs may change in large numbers, so these run once for each statement.
CREATE FUNCTION webhook_opt_outs_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event_type text := CASE TG_OP WHEN 'DELETE' THEN 'opt_out.removed' ELSE 'opt_out.created' END;
BEGIN
  WITH events AS MATERIALIZED (SELECT uuid_v7(now()) AS id, c.* FROM changed c)
  INSERT INTO webhook_other_events (workspace_id, endpoint_id, event_id, event_type, data, event_at)
  SELECT e.workspace_id, e.id, c.id, event_type, jsonb_build_object('number', CASE WHEN c.is_erased THEN 'erased' ELSE c.number END, 'reason', c.reason,
    'created_at', iso_time(c.created_at)), now()
  FROM events c JOIN webhook_endpoints e ON e.workspace_id = c.workspace_id
  WHERE (e.event_types = '{}' OR event_type = ANY(e.event_types))
    -- An erasure deletes an opt-out that holds by another row.
    AND current_setting('switchboard.erasing', true) IS DISTINCT FROM statement_timestamp()::text;
  RETURN NULL;
END
$$;

CREATE TRIGGER webhook_opt_outs_added AFTER INSERT ON opt_outs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_opt_outs_changed();
CREATE TRIGGER webhook_opt_outs_removed AFTER DELETE ON opt_outs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_opt_outs_changed();

CREATE FUNCTION webhook_provider_status(refused_since timestamptz, failing_since timestamptz)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN refused_since IS NOT NULL THEN 'credentials_refused'
    WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'ok' END
$$;

CREATE FUNCTION webhook_provider_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER webhook_provider_changed AFTER UPDATE ON provider_accounts
  FOR EACH ROW WHEN (webhook_provider_status(OLD.refused_since, OLD.failing_since)
    <> webhook_provider_status(NEW.refused_since, NEW.failing_since))
  EXECUTE FUNCTION webhook_provider_changed();

-- The data is that of the list of audit entries. An endpoint without a selection receives all types but this one.
CREATE FUNCTION webhook_audit_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH events AS MATERIALIZED (SELECT uuid_v7(now()) AS event_id, r.* FROM recorded r)
  INSERT INTO webhook_other_events (workspace_id, endpoint_id, event_id, event_type, data, event_at)
  SELECT e.workspace_id, e.id, r.event_id, 'audit_entry.created', jsonb_build_object('id', r.id, 'at', iso_time(r.at),
    'actor', CASE
      WHEN u.id IS NOT NULL THEN jsonb_build_object('type', 'user', 'id', u.id, 'name', CASE WHEN u.email LIKE 'closed:%' THEN 'Closed account' ELSE u.email END)
      WHEN k.id IS NOT NULL THEN jsonb_build_object('type', 'api_key', 'id', k.id, 'name', k.name)
      ELSE '{"type": "operator", "id": null, "name": null}' END,
    'action', r.action, 'target', r.target, 'detail', r.detail, 'ip', r.ip), r.at
  FROM events r
  JOIN webhook_endpoints e ON e.workspace_id = r.workspace_id AND 'audit_entry.created' = ANY(e.event_types)
  LEFT JOIN users u ON u.id = r.user_id
  LEFT JOIN api_keys k ON k.workspace_id = r.workspace_id AND k.id = r.api_key_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER webhook_audit_recorded AFTER INSERT ON audit_entries REFERENCING NEW TABLE AS recorded
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_audit_recorded();

-- ## Media

-- A file that was uploaded to be sent. The row is older than the file in the storage and is deleted after it, so that
-- no file remains without a row.
CREATE TABLE media_files (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE RESTRICT ON UPDATE CASCADE,
  name text NOT NULL,
  content_type text NOT NULL DEFAULT '',
  size integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  stored_at timestamptz(3),
  check_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);

-- A message that may use the file. Written before the message, which may then be refused, so that the statement
-- that stores messages does not pay for it.
CREATE TABLE media_uses (
  workspace_id uuid NOT NULL,
  media_id uuid NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, media_id, message_id),
  FOREIGN KEY (workspace_id, media_id) REFERENCES media_files ON DELETE CASCADE ON UPDATE CASCADE
);

-- A signed link has only the file's id.
CREATE UNIQUE INDEX media_files_id_key ON media_files(id);
CREATE INDEX media_files_check_at_idx ON media_files(check_at);

-- ## Search

-- The words of 200 messages in the order of their ids, which a search reads. Each word begins with the end of the
-- workspace's id. Messages after the last chunk of a workspace are in none.
CREATE TABLE message_chunks (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE ON UPDATE CASCADE,
  first_id uuid NOT NULL,
  last_id uuid NOT NULL,
  messages integer NOT NULL DEFAULT 200,
  words tsvector NOT NULL,
  -- By which rule the words were read from the texts. A lower one, and 0 after a change of the messages, is written again.
  rule smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, last_id)
);
-- Without statistics PostgreSQL expects that a word is rare, and uses the index. It does not know how much a comparison with
-- large words costs that are stored outside the row.
ALTER TABLE message_chunks ALTER COLUMN words SET STATISTICS 0;

CREATE INDEX message_chunks_words_idx ON message_chunks USING GIN (words);
CREATE INDEX message_chunks_rule_last_id_idx ON message_chunks(rule, last_id);

-- Two steps of a search are functions, because a function with a setting is not merged into the query that calls it.

-- Finds the newest chunks with the words of a query. The planner does not know that a comparison reads words that are
-- stored outside the row, and may prefer to read all chunks of all workspaces.
CREATE FUNCTION find_message_chunks(of_workspace uuid, query tsquery, before_id uuid, max_chunks integer)
RETURNS TABLE (first_id uuid, last_id uuid)
LANGUAGE sql STABLE ROWS 30 SET enable_seqscan = off AS $$
  SELECT c.first_id, c.last_id FROM message_chunks c
  WHERE c.words @@ query AND (c.workspace_id = of_workspace) IS TRUE
    AND (before_id IS NULL OR c.first_id < before_id)
  ORDER BY c.last_id DESC LIMIT max_chunks
$$;

-- Reads the messages of a chunk by the primary key, which alone can compare rows in this form. PostgreSQL expects so many of
-- them that it may prefer to read the whole table.
CREATE FUNCTION read_message_chunk(of_workspace uuid, lowest_id uuid, highest_id uuid)
RETURNS TABLE (id uuid, body text, counterpart text)
LANGUAGE sql STABLE ROWS 200 SET enable_seqscan = off SET enable_bitmapscan = off AS $$
  SELECT m.id, m.body, m.counterpart FROM message_records m
  WHERE (m.workspace_id, m.id) >= (of_workspace, lowest_id)
    AND (m.workspace_id, m.id) <= (of_workspace, highest_id)
$$;

-- ## Processes

-- The running APIs and workers. Each updates its row every few seconds and deletes it when it stops;
-- a row that is no longer updated belongs to a process that was killed.
CREATE TABLE running_processes (
  id uuid PRIMARY KEY,
  role text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  key_ids text[],
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  slot smallint NOT NULL DEFAULT 0
);

-- Counters of rate-limit windows when no Redis is used. Unlogged: a crash only empties the windows.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
