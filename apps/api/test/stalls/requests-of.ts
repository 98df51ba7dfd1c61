import { type Route, exampleOf } from '@switchboard/contracts';
import type { TestedEndpoint } from '../tenancy/endpoints.ts';

/** Just below the limit of a body. */
const limitOf = ({ bodyMaxMebibytes }: Route): number => (bodyMaxMebibytes ?? 0.062) * 1_048_576;
const DAY_MS = 86_400_000;

/** A request, whose name says what is large about it. */
export interface LargeRequest {
  name: string;
  query: string;
  body?: string | Buffer;
}

/** Lists the most expensive requests of a route that its definition permits, and bodies that it refuses. */
export function requestsOf({ route, json, raw }: TestedEndpoint): LargeRequest[] {
  const queries = listQueries(route).map((query) => ({ name: `query "${query}"`, query }));
  if (raw !== undefined) return queries.map((each) => ({ ...each, body: raw }));
  if (route.body === undefined) return queries;
  const example = json ?? (exampleOf(route.body, 'input') as object);
  const limit = Math.floor(limitOf(route));
  const bodies = route.bodyType === undefined ? listBodies(route.body, example, limit) : [example];
  const deep = (part: string) => part.repeat(limit / part.length);
  const texts = [...bodies.map((body) => JSON.stringify(body)), deep('['), deep('{"a":')];
  return texts.map((text) => {
    return { name: `body ${text.slice(0, 60)}…`, query: '', body: text.slice(0, limit) };
  });
}

function listQueries({ query }: Route): string[] {
  const names = Object.keys(query?.shape ?? {});
  const has = (name: string): boolean => names.includes(name);
  const limit = has('limit') ? 'limit=100' : '';
  const now = Date.now();
  const since = (days: number): string => new Date(now - days * DAY_MS).toISOString();
  return [
    limit,
    ...(has('page') ? [`${limit}&page=9`, `${limit}&page=20`] : []),
    ...(has('search') ? [`${limit}&search=${'b+'.repeat(50)}`, `${limit}&search=555`] : []),
    ...(has('numbers') ? [`numbers=${listNumbers().join(',')}`] : []),
    ...(has('interval') && has('from')
      ? [
          `interval=day&from=${since(366)}&to=${since(0)}&time_zone=America/New_York`,
          `interval=hour&from=${since(31)}&to=${since(0)}&time_zone=America/New_York`,
        ]
      : []),
  ];
}

const listNumbers = (): string[] =>
  Array.from({ length: 100 }, (_, n) => `%2B1777${1_000_001 + n}`);

/** Lists bodies with the example's values and one parameter of the size of a whole body. */
function listBodies(schema: NonNullable<Route['body']>, example: object, limit: number): object[] {
  // Room for the example's values.
  const free = limit - JSON.stringify(example).length - 100;
  const repeat = <Value>(value: Value): Value[] =>
    Array.from({ length: Math.floor(free / (JSON.stringify(value).length + 1)) }, () => value);
  const record = Object.fromEntries(
    repeat('20 characters each').map((_, n) => [`key ${n}`, 'value']),
  );
  const large = [
    'v'.repeat(free),
    '@= '.repeat(free / 3),
    repeat(0),
    repeat({}),
    repeat('+14155550123'),
    record,
  ];
  const sends = (send: object) => ({ messages: Array.from({ length: 1_000 }, () => send) });
  return [
    example,
    // The largest valid requests of a batch, and those whose errors cost the most.
    ...('messages' in schema.shape
      ? [
          sends({ to: '+14155550123', body: 'ü'.repeat(900), idempotency_key: 'k' }),
          // Texts that are expensive to normalize.
          sends({ to: '+14155550123', body: '\u0301'.repeat(500) + '\u0334'.repeat(450) }),
          sends({ to: 7, body: 7, from: 7, media_urls: Array.from({ length: 20 }, () => 7) }),
          { to: Array.from({ length: 1_000 }, () => '+1'), body: 'b'.repeat(1_600) },
        ]
      : []),
    { ...example, ...record },
    ...Object.keys(schema.shape).flatMap((name) =>
      large.map((value) => ({ ...example, [name]: value })),
    ),
  ];
}
