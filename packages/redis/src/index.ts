export { queryNode } from './query-node.ts';
export { createRedis, type RedisClientOptions, toKeyPrefix } from './create-redis.ts';
export { CLUSTER_TAG, createMasterFinder } from './find-master.ts';
export {
  parseRedisUrl,
  type RedisAddress,
  type RedisTarget,
  RedisUrlError,
} from './parse-redis-url.ts';
