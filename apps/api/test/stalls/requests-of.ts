import { type Route, exampleOf } from '@switchboard/contracts';
import type { TestedEndpoint } from '../tenancy/endpoints.ts';

/** Just below the limit of a body. */
const BODY_CHARACTERS = 65_000;
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
  const bodies = route.bodyType === undefined ? listBodies(route.body, example) : [example];
  return bodies.map((body) => {
    const text = JSON.stringify(body);
    return { name: `body ${text.slice(0, 60)}…`, query: '', body: text.slice(0, BODY_CHARACTERS) };
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
function listBodies(schema: NonNullable<Route['body']>, example: object): object[] {
  // Room for the example's values.
  const free = BODY_CHARACTERS - JSON.stringify(example).length - 100;
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
  return [
    example,
    { ...example, ...record },
    ...Object.keys(schema.shape).flatMap((name) =>
      large.map((value) => ({ ...example, [name]: value })),
    ),
  ];
}
