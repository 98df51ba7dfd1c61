/** The state of a cluster as Patroni reports it. */
export interface ClusterState {
  leader: string | null;
  /** The standby that commits wait for. */
  syncStandby: string | null;
  /** A primary and two streaming standbys, one of them synchronous. */
  isHealthy: boolean;
  /** For an error message. */
  text: string;
}

interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

const TIMEOUT_MS = 3_000;
const MAX_LAG_BYTES = 1_000_000;

/** Queries the nodes in turn until one answers. */
export async function readClusterState(restUrls: readonly string[]): Promise<ClusterState> {
  let failure: unknown;
  for (const url of restUrls) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(`${url}/cluster`, { signal });
      const { members } = (await answer.json()) as { members: Member[] };
      return describeMembers(members, restUrls.length);
    } catch (error) {
      failure = error;
    }
  }
  throw new Error('no Patroni node answers', { cause: failure });
}

function describeMembers(members: readonly Member[], count: number): ClusterState {
  const leader = members.find(({ role }) => role === 'leader');
  const syncStandby = members.find(({ role }) => role === 'sync_standby');
  const follows = ({ state, timeline, lag }: Member) =>
    (state === 'running' || state === 'streaming') &&
    timeline === leader?.timeline &&
    Number(lag ?? 0) < MAX_LAG_BYTES;
  return {
    leader: leader?.name ?? null,
    syncStandby: syncStandby?.name ?? null,
    isHealthy:
      members.length === count &&
      leader !== undefined &&
      syncStandby !== undefined &&
      members.every(follows),
    text: JSON.stringify(members),
  };
}
