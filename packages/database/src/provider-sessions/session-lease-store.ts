import type { NumberHome } from '@switchboard/core';
import type { Database } from '../database.ts';
import type { RowProvider } from '../messages/claims/claim-messages.ts';
import { NUMBER_HOME } from '../providers/number-home.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';

/**
 * What the holder reports about a session. Only `bound`, `failing` and `refused` ones take
 * messages: a session without a result yet may be bound in a moment.
 */
export type LeaseState = 'opening' | 'bound' | 'failing' | 'refused' | 'leaving';

/** A session that a worker may hold. */
export interface SessionPlace {
  workspaceId: string;
  providerId: string;
  place: number;
}

/** An account whose adapter has sessions, with the leases that have not ended. */
export interface SessionAccount extends Omit<RowProvider, 'onUnknown'> {
  workspaceId: string;
  home: NumberHome;
  isEnabled: boolean;
  /** Every account of the workspace has sessions. */
  hasNoOther: boolean;
  leases: readonly { place: number; holder: string; state: LeaseState }[];
}

/**
 * The leases of sessions with provider accounts. A lease ends on the database's clock, and its
 * holder must have closed the session by then.
 */
export interface SessionLeaseStore {
  /** Lists the accounts of these types. */
  listAccounts(types: readonly string[]): Promise<SessionAccount[]>;
  /**
   * Takes a free place of the account, if it is enabled and still has these credentials. Null: no
   * place up to `maxPlaces` is free, or a session is in a higher place.
   */
  take(
    account: Pick<SessionAccount, 'workspaceId' | 'id' | 'sealedSecret'>,
    lease: { holder: string; maxPlaces: number; leaseMs: number },
  ): Promise<number | null>;
  /**
   * Extends the leases of a worker that have not ended, and returns them. `isWanted`: another
   * worker holds at least two fewer sessions and has requested this one.
   */
  renew(
    holder: string,
    places: readonly (SessionPlace & { state: LeaseState })[],
    leaseMs: number,
  ): Promise<(SessionPlace & { isWanted: boolean })[]>;
  release(holder: string, place: SessionPlace): Promise<void>;
  /**
   * Requests a session from the worker with the most sessions, if it has at least two more than
   * this one.
   */
  requestPlace(holder: string, forMs: number): Promise<void>;
  /** Shortens leases that end later than one that begins now: the database's clock was set back. */
  shorten(leaseMs: number): Promise<void>;
  /** Deletes leases that ended a day ago, and returns their number. */
  deleteExpired(limit: number): Promise<number>;
}

const MS = `interval '1 millisecond'`;

const LIST = `
SELECT p.id, p.workspace_id AS "workspaceId", p.type, p.vendor_account_id AS "vendorAccountId",
  p.sealed_secret AS "sealedSecret", p.sender_pool AS "senderPool",
  ${NUMBER_HOME} AS home, p.enabled AS "isEnabled", p.refused_since IS NOT NULL AS "isRefused",
  p.failing_since IS NOT NULL AS "isFailing",
  COALESCE(p.verified_credentials = p.sealed_secret, false) AS "isVerified",
  NOT EXISTS (SELECT FROM provider_accounts o
    WHERE o.workspace_id = p.workspace_id AND o.type <> ALL($1::text[])) AS "hasNoOther",
  COALESCE((
    SELECT json_agg(json_build_object('place', l.place, 'holder', l.holder, 'state', l.state)
      ORDER BY l.place)
    FROM provider_session_leases l
    WHERE l.workspace_id = p.workspace_id AND l.provider_id = p.id AND l.leased_until > now()
  ), '[]') AS leases
FROM provider_accounts p WHERE p.type = ANY($1::text[]) ORDER BY p.id`;

// If two workers insert the same place, the second waits for the first and then finds its lease.
const TAKE = `
WITH free AS (
  SELECT p.id, p.workspace_id, s.place
  FROM provider_accounts p, generate_series(1, :maxPlaces::int) AS s(place)
  WHERE p.workspace_id = :workspaceId::uuid AND p.id = :id::uuid AND p.sealed_secret = :sealedSecret AND p.enabled
    AND NOT EXISTS (SELECT FROM provider_session_leases l
      WHERE l.workspace_id = p.workspace_id AND l.provider_id = p.id AND l.leased_until > now() AND (l.place = s.place OR l.place > :maxPlaces::int))
  ORDER BY s.place LIMIT 1
)
INSERT INTO provider_session_leases AS l
  (workspace_id, provider_id, place, holder, leased_until, state)
SELECT workspace_id, id, place, :holder::uuid, now() + :leaseMs::int * ${MS}, 'opening' FROM free
ON CONFLICT (workspace_id, provider_id, place) DO UPDATE
  SET holder = excluded.holder, leased_until = excluded.leased_until, state = excluded.state,
    wanted_until = NULL
  WHERE l.leased_until <= now()
RETURNING place`;

const RENEW = `
UPDATE provider_session_leases l SET leased_until = now() + :leaseMs::int * ${MS}, state = h.state
FROM unnest(:workspaceIds::uuid[], :providerIds::uuid[], :places::int[], :states::text[]) AS h(workspace_id, provider_id, place, state)
WHERE l.workspace_id = h.workspace_id AND l.provider_id = h.provider_id AND l.place = h.place
  AND l.holder = :holder::uuid
  AND l.leased_until > now()
RETURNING l.workspace_id AS "workspaceId", l.provider_id AS "providerId", l.place,
  COALESCE(l.wanted_until > now(), false) AS "isWanted"`;

// One place moves at a time, so that several new workers do not request more than they need.
const REQUEST_PLACE = `
WITH counts AS (
  SELECT holder, count(*) AS n FROM provider_session_leases
  WHERE leased_until > now() AND state <> 'leaving' GROUP BY holder
),
wanted AS (
  SELECT l.workspace_id, l.provider_id, l.place FROM provider_session_leases l JOIN counts c USING (holder)
  WHERE l.leased_until > now() AND l.state <> 'leaving'
    AND c.n >= 2 + COALESCE((SELECT n FROM counts WHERE holder = $1::uuid), 0)
    AND NOT EXISTS (SELECT FROM provider_session_leases w WHERE w.wanted_until > now())
  ORDER BY c.n DESC, random() LIMIT 1
)
UPDATE provider_session_leases l SET wanted_until = now() + $2::int * ${MS}
FROM wanted w
WHERE l.workspace_id = w.workspace_id AND l.provider_id = w.provider_id AND l.place = w.place`;

export function createSessionLeaseStore({ pool }: Pick<Database, 'pool'>): SessionLeaseStore {
  return {
    listAccounts: (types) => runStatement<SessionAccount>(pool, LIST, [types]),

    async take(account, lease) {
      const values = { ...account, ...lease };
      const [row] = await runStatement<{ place: number }>(pool, ...named(TAKE, values));
      return row?.place ?? null;
    },

    renew: (holder, places, leaseMs) =>
      runStatement<SessionPlace & { isWanted: boolean }>(
        pool,
        ...named(RENEW, {
          holder,
          leaseMs,
          workspaceIds: places.map(({ workspaceId }) => workspaceId),
          providerIds: places.map(({ providerId }) => providerId),
          places: places.map(({ place }) => place),
          states: places.map(({ state }) => state),
        }),
      ),

    async release(holder, place) {
      await runStatement(
        pool,
        ...named(
          `DELETE FROM provider_session_leases
           WHERE workspace_id = :workspaceId::uuid AND provider_id = :providerId::uuid AND place = :place::int
             AND holder = :holder::uuid`,
          { ...place, holder },
        ),
      );
    },

    async requestPlace(holder, forMs) {
      await runStatement(pool, REQUEST_PLACE, [holder, forMs]);
    },

    async shorten(leaseMs) {
      await runStatement(
        pool,
        `UPDATE provider_session_leases SET leased_until = now() + $1::int * ${MS}
         WHERE leased_until > now() + $1::int * ${MS}`,
        [leaseMs],
      );
    },

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM provider_session_leases WHERE (workspace_id, provider_id, place) IN (
           SELECT workspace_id, provider_id, place FROM provider_session_leases
           WHERE leased_until < now() - interval '1 day' LIMIT $1::int FOR UPDATE SKIP LOCKED)
         RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}
