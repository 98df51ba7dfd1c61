import type { createRedis } from '@switchboard/redis';
import type { Window, WindowStore } from '../window-store.ts';

type Redis = ReturnType<typeof createRedis>;

// KEYS: the clients, then the groups. ARGV: window, limit, number of clients, and for each client its
// requests and the position of its group among KEYS (0: none). A key without an expiry gets one.
const COUNT = `
local window, limit, clients = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local answer, admitted = {}, {}
local function count(position, requests)
  local counted = redis.call('INCRBY', KEYS[position], requests)
  local left = redis.call('PTTL', KEYS[position])
  if left < 0 then
    left = window
    redis.call('PEXPIRE', KEYS[position], left)
  end
  answer[2 * position - 1] = counted
  answer[2 * position] = left
  return counted
end
for client = 1, clients do
  local requests, group = tonumber(ARGV[2 * client + 2]), tonumber(ARGV[2 * client + 3])
  local counted = count(client, requests)
  if group > 0 then
    local within = math.max(0, math.min(requests, limit - (counted - requests)))
    admitted[group] = (admitted[group] or 0) + within
  end
end
for position = clients + 1, #KEYS do
  count(position, admitted[position] or 0)
end
return answer`;

const REMOVE_COUNT = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then
  redis.call('DECR', KEYS[1])
end
return 0`;

interface Commands {
  countWindows(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
  removeCount(keyCount: number, key: string): Promise<number>;
}

/** Counts in Redis, by its clock, with one command per batch. */
export function createCountInRedis(redis: Redis, keyPrefix: string): WindowStore {
  redis.defineCommand('countWindows', { lua: COUNT });
  redis.defineCommand('removeCount', { lua: REMOVE_COUNT });
  const commands = redis as Redis & Commands;

  return {
    async count(clients, { windowMs, limit }) {
      const groups = [...new Set(clients.flatMap(({ group }) => group ?? []))];
      const positionOf = new Map(groups.map((name, n) => [name, clients.length + n + 1]));
      const names = [...clients.map(({ client }) => client), ...groups];
      const response = await commands.countWindows(
        names.length,
        ...names.map((name) => `${keyPrefix}:${name}`),
        windowMs,
        limit,
        clients.length,
        ...clients.flatMap(({ requests, group }) => [
          requests,
          group === null ? 0 : (positionOf.get(group) ?? 0),
        ]),
      );
      return new Map(
        names.map((name, n): [string, Window] => {
          const [counted = 0, msLeft = 0] = response.slice(2 * n, 2 * n + 2);
          return [name, { counted, msLeft }];
        }),
      );
    },

    async removeCount(client) {
      await commands.removeCount(1, `${keyPrefix}:${client}`);
    },
  };
}
