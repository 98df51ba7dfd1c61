import fc from 'fast-check';
import { type DocumentedRoute, documentedRoutes, isProviderWebhook } from '../documented.ts';
import { arbitraryOf, mutated, oddText, oddValue } from './arbitrary-value.ts';

/** The credential of the request: of the tested workspace, none, of another scheme, and so on. */
const WHO = ['ours', 'none', 'other_scheme', 'theirs', 'odd'] as const;

export interface FuzzRequest {
  route: DocumentedRoute;
  /** Values of the path variables. Null stands for an id of the tested workspace. */
  variables: Record<string, string | null>;
  query: string;
  who: (typeof WHO)[number];
  headers: Record<string, string>;
  /** Form fields for routes with a form, otherwise the text of the body. */
  body: string | Record<string, string> | null;
  address: string;
}

const weighted = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const headerText = fc
  .string({ unit: 'binary-ascii', maxLength: 300 })
  .map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?'));

const odd = fc.oneof(
  oddValue.map((value) => JSON.stringify(value) ?? ''),
  oddText,
  fc.constantFrom('{', '{"a":1}}', '[1,', '\uFEFF{}', '{"__proto__":{"a":1}}', '{"to":1e999}'),
  // Longer than the limit of a request body.
  fc.constant(JSON.stringify({ body: 'x'.repeat(70_000) })),
);

/**
 * The fields that the configuration of the account names. Their owner chooses them, so no schema
 * has them.
 */
const gatewayWebhook = fc.record({
  id: fc.uuid(),
  status: fc.constantFrom('delivered', 'other'),
  from: fc.constantFrom('+15557654321', 'Bank'),
  to: fc.constant('+14155550100'),
  text: oddText.map((text) => text.toWellFormed()),
});

export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...documentedRoutes.map((route) => ({
    // More webhooks, because only a few of them have a valid signature and form.
    weight: isProviderWebhook(route) ? 15 : 1,
    arbitrary: fc.record({
      route: fc.constant(route),
      variables: variablesOf(route),
      query: queryOf(route),
      who: weighted<(typeof WHO)[number]>([10, fc.constant('ours')], [1, fc.constantFrom(...WHO)]),
      headers: headersOf(route),
      body: bodyOf(route),
      address: fc.ipV4(),
    }),
  })),
);

function variablesOf({ path }: DocumentedRoute): fc.Arbitrary<Record<string, string | null>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const value = weighted<string | null>(
    [8, fc.constant(null)],
    [1, fc.uuid()],
    [1, oddText.map((text) => encodeURIComponent(text.toWellFormed()))],
    [1, fc.constantFrom('%', '%zz', '%00', '..', '%2e%2e', 'a'.repeat(101), '%F0%9F%98%80', '~')],
  );
  return fc.record(Object.fromEntries(names.map((name) => [name, value])));
}

function queryOf({ parameters }: DocumentedRoute): fc.Arbitrary<string> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const pairs = inQuery.map(({ name, schema }) =>
    weighted<string[]>(
      [4, fc.constant([])],
      [4, arbitraryOf(schema, name).map((value) => [pair(name, String(value))])],
      [1, oddText.map((text) => [pair(name, text)])],
      [1, fc.constant([`${name}=1`, `${name}=2`])],
    ),
  );
  const unknown = fc.constantFrom<string[]>(
    [],
    [],
    [],
    ['unknown=1'],
    ['%zz=%'],
    ['__proto__=1'],
    ['=&='],
  );
  return fc.tuple(...pairs, unknown).map((all) => {
    const given = all.flat();
    return given.length === 0 ? '' : `?${given.join('&')}`;
  });
}

function pair(name: string, value: string): string {
  return `${name}=${encodeURIComponent(value.toWellFormed())}`;
}

function headersOf({
  operation,
  parameters,
}: DocumentedRoute): fc.Arbitrary<Record<string, string>> {
  const type = Object.keys(operation?.requestBody?.content ?? {})[0] ?? 'application/json';
  const own = parameters.some((parameter) => parameter.in === 'header');
  return fc
    .record({
      'content-type': weighted(
        [12, fc.constant(type)],
        [
          1,
          fc.constantFrom(
            'text/plain',
            'application/json; charset=utf-16',
            'a/b; c',
            '',
            'multipart/form-data',
          ),
        ],
      ),
      'idempotency-key': own
        ? weighted<string | null>([4, fc.constant(null)], [2, fc.uuid()], [1, headerText])
        : fc.constant(null),
      prefer: own
        ? weighted<string | null>(
            [8, fc.constant(null)],
            [1, headerText],
            [1, fc.constant('wait=0')],
          )
        : fc.constant(null),
      'x-request-id': weighted<string | null>([8, fc.constant(null)], [1, headerText]),
    })
    .map((headers) =>
      Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
      ),
    );
}

function bodyOf({ operation, method, path }: DocumentedRoute): FuzzBody {
  const [type, content] = Object.entries(operation?.requestBody?.content ?? {})[0] ?? [];
  if (content === undefined) {
    return method === 'GET'
      ? fc.constant(null)
      : weighted<string | null>([8, fc.constant(null)], [1, fc.constant('')], [1, odd]);
  }
  const isGateway = path.startsWith('/api/webhooks/http/');
  const good = isGateway ? gatewayWebhook : arbitraryOf(content.schema);
  if (type !== 'application/json') return formOf(good as fc.Arbitrary<object>);
  return weighted<string | null>(
    [6, good.map((value) => JSON.stringify(value))],
    [6, mutated(good).map((value) => JSON.stringify(value) ?? '')],
    [1, odd],
    [1, fc.constant(null)],
  );
}

/** A placeholder for the AccountSid of the signing workspace. */
export const OWN_ACCOUNT = '{account}';

/** A provider's form, usually of the signing account, with up to three invalid fields. */
function formOf(good: fc.Arbitrary<object>): fc.Arbitrary<Record<string, string>> {
  const hostile = fc.oneof(
    oddText,
    fc.constantFrom('x'.repeat(4_000), '1000000000000', '-1', '1e400', '👋'.repeat(1_000)),
  );
  const spoiled = fc.array(fc.tuple(fc.nat(), hostile), { maxLength: 3 });
  return fc.tuple(good, spoiled).map(([fields, changes]) => {
    const form = new Map<string, string>();
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
    form.set('AccountSid', OWN_ACCOUNT);
    const names = [...form.keys()];
    for (const [at, value] of changes) form.set(names[at % names.length] ?? '', value);
    return Object.fromEntries([...form].map(([name, value]) => [name, value.toWellFormed()]));
  });
}

type FuzzBody = fc.Arbitrary<FuzzRequest['body']>;
