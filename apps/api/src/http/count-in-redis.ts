import type { createRedis } from '@switchboard/redis';

type Redis = ReturnType<typeof createRedis>;

/** The state of a client's window after its requests have been counted. */
export interface Window {
  consumedPoints: number;
  msBeforeNext: number;
}

// A window begins with its first request; one without an end, whoever made it, gets one.
const COUNT = `
local answer = {}
for i, key in ipairs(KEYS) do
  local consumed = redis.call('INCRBY', key, ARGV[i + 1])
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', key, left)
  end
  answer[2 * i - 1] = consumed
  answer[2 * i] = left
end
return answer`;

interface Counting {
  countWindows(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
}

/**
 * Counts the requests of many clients in one step of Redis. `rate-limiter-flexible` keeps the same
 * windows, under the same keys, at the price of a command for each client.
 */
export function createCountInRedis(
  redis: Redis,
  options: { keyPrefix: string; windowSeconds: number },
): (numbers: ReadonlyMap<string, number>) => Promise<Map<string, Window>> {
  redis.defineCommand('countWindows', { lua: COUNT });
  const { countWindows } = redis as Redis & Counting;

  return async (numbers) => {
    const answer = await countWindows.call(
      redis,
      numbers.size,
      ...Array.from(numbers.keys(), (clientId) => `${options.keyPrefix}:${clientId}`),
      options.windowSeconds * 1000,
      ...numbers.values(),
    );
    return new Map(
      Array.from(numbers.keys(), (clientId, index) => {
        const [consumedPoints = 0, msBeforeNext = 0] = answer.slice(2 * index, 2 * index + 2);
        return [clientId, { consumedPoints, msBeforeNext }];
      }),
    );
  };
}
