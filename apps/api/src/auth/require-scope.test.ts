import { defineRoute } from '@switchboard/contracts';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { createRequireScope } from './require-scope.ts';

test('a route that accepts API keys without a scope does not compile and cannot be registered', () => {
  const method = 'GET';
  const summary = 'Get the pigeons';
  const response = { status: 200 } as const;
  // @ts-expect-error A path for keys needs a scope.
  const route = defineRoute({
    method,
    paths: { api_key: '/api/pigeons' },
    tag: 'Messages',
    summary,
    response,
  });
  expect(() => createRequireScope({ key: 'GET /api/pigeons', route })).toThrow(
    'GET /api/pigeons accepts API keys, but names no scope',
  );
  const ofSessions = {
    method,
    paths: { session: '/api/ui/pigeons' },
    scope: 'messages:read',
    tag: 'Messages',
    summary,
    response,
  } as const;
  // @ts-expect-error A session has no scopes.
  defineRoute(ofSessions);
});

test('a key with other scopes is refused with an error that names the missing one', async () => {
  const [hook] = createRequireScope({
    key: 'GET /api/messages',
    route: {
      method: 'GET',
      paths: { api_key: '/api/messages' },
      scope: 'messages:read',
      tag: 'Messages',
      summary: 'List messages',
      response: { status: 200 },
    },
  });
  if (hook === undefined) throw new Error('The route has no check');
  const app = fastify();
  let scopes: string[] = [];
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { apiKey: { scopes } });
  });
  app.get('/', { onRequest: hook }, async () => ({}));
  const call = async (given: string[]) => {
    scopes = given;
    return app.inject('/');
  };
  for (const given of [['*'], ['verify', 'messages:read']]) {
    expect((await call(given)).statusCode).toBe(200);
  }
  for (const given of [[], ['messages:send'], ['messages:readall'], ['messages']]) {
    expect((await call(given)).json()).toMatchObject({
      message: expect.stringMatching(/the API key needs the scope `messages:read`$/),
    });
  }
});
