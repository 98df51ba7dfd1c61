import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type Service, ask, expectRefusal, startService } from './start-service.ts';

const UI = { RATE_LIMIT_UI: '100000', RATE_LIMIT_MESSAGING: '100000' };

describe('workspaces', () => {
  let service: Service;
  let workspace: WorkspaceFixture;

  beforeAll(async () => {
    service = await startService({ env: UI });
    workspace = await service.addWorkspace();
  });
  afterAll(() => service.close());

  /** The routes of a workspace for an API key and for a session. */
  const ways = () =>
    [
      ['/api/workspace', workspace.apiKey],
      [`/api/ui/workspaces/${workspace.workspaceId}`, workspace.sessionToken],
      [`/api/ui/workspaces/${workspace.workspaceId.toUpperCase()}`, workspace.sessionToken],
    ] as const;

  test('an API key and a session read the same workspace with exactly the documented fields', async () => {
    for (const [path, token] of ways()) {
      const { status, json } = await ask(service.url, path, { token });
      expect(status).toBe(200);
      expect(json).toStrictEqual({
        id: workspace.workspaceId,
        name: json?.['name'],
        mode: 'live',
        live_workspace_id: workspace.workspaceId,
        country: null,
        require_second_factor: false,
        encoding: 'as_is',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        provider_configured: true,
        default_number: workspace.from,
      });
    }
    const bare = await service.addWorkspace({ provider: false, from: null });
    const { json } = await ask(service.url, '/api/workspace', { token: bare.apiKey });
    expect(json).toMatchObject({ provider_configured: false, default_number: null });
  });

  test.each([
    ['one letter', 'a', 'a'],
    ['whitespace around it', '  My team \n', 'My team'],
    ['100 characters', 'n'.repeat(100), 'n'.repeat(100)],
    ['100 characters and whitespace', ` ${'n'.repeat(100)} `, 'n'.repeat(100)],
    ['50 emoji', '😀'.repeat(50), '😀'.repeat(50)],
    ['any script', 'Команда 团队 فريق', 'Команда 团队 فريق'],
    ['HTML', '<b>"x"</b>', '<b>"x"</b>'],
  ])('a workspace can be renamed to a name with %s', async (_name, given, stored) => {
    for (const [path, token] of ways()) {
      const response = await ask(service.url, path, {
        method: 'PATCH',
        token,
        json: { name: given, id: 'x', other: 1 },
      });
      expect([response.status, response.json]).toStrictEqual([200, { ok: true }]);
      expect((await ask(service.url, path, { token })).json?.['name']).toBe(stored);
      await service.sql(`UPDATE workspaces SET name = 'before'`);
    }
  });

  test.each([
    ['absent', {}],
    ['null', { name: null }],
    ['empty', { name: '' }],
    ['whitespace', { name: ' \t\n\u00a0\u3000' }],
    ['101 characters', { name: 'n'.repeat(101) }],
    ['51 emoji', { name: '😀'.repeat(51) }],
    ['a number', { name: 7 }],
    ['true', { name: true }],
    ['a list', { name: ['x'] }],
    ['an object', { name: { toString: 'x' } }],
    ['with a NUL', { name: 'a\0b' }],
    ['with a lone surrogate', { name: 'a\ud800' }],
    ['in another case', { Name: 'x' }],
  ])('a new workspace name that is %s is refused with invalid_name', async (_name, json) => {
    await service.sql(`UPDATE workspaces SET name = 'before'`);
    for (const [path, token] of ways()) {
      expectRefusal(
        await ask(service.url, path, { method: 'PATCH', token, json }),
        400,
        'invalid_name',
      );
      expect((await ask(service.url, path, { token })).json?.['name']).toBe('before');
    }
    const count = await service.countRows('workspaces');
    const created = await ask(service.url, '/api/ui/workspaces', {
      token: workspace.sessionToken,
      json,
    });
    expectRefusal(created, 400, 'invalid_name');
    expect(await service.countRows('workspaces')).toBe(count);
  });

  test('the country of a workspace is set at its creation, changed without its name, and removed with null', async () => {
    const at = '/api/ui/workspaces';
    const { sessionToken: token } = await service.addWorkspace();
    const created = await ask(service.url, at, { token, json: { name: 'Paris', country: 'FR' } });
    expect([created.status, created.json]).toMatchObject([201, { name: 'Paris', country: 'FR' }]);
    const path = `${at}/${String(created.json?.['id'])}`;
    for (const [json, after] of [
      [{ country: 'XK' }, { name: 'Paris', country: 'XK' }],
      [{ name: 'Berlin' }, { name: 'Berlin', country: 'XK' }],
      [
        { name: null, country: 'DE' },
        { name: 'Berlin', country: 'DE' },
      ],
      [
        { name: 'None', country: null },
        { name: 'None', country: null },
      ],
    ]) {
      const changed = await ask(service.url, path, { method: 'PATCH', token, json });
      expect([changed.status, changed.json]).toEqual([200, { ok: true }]);
      expect((await ask(service.url, path, { token })).json).toMatchObject({ ...after });
    }
    const audit = await ask(service.url, `${path}/audit`, { token });
    expect(audit.status, audit.text).toBe(200);
    const entries = audit.json?.['data'] as { action: string; detail: object }[];
    expect(
      entries
        .filter(({ action }) => action !== 'workspace.renamed')
        .map(({ action, detail }) => [action, detail]),
    ).toEqual([
      ['workspace.country_changed', { from: 'DE', to: null }],
      ['workspace.country_changed', { from: 'XK', to: 'DE' }],
      ['workspace.country_changed', { from: 'FR', to: 'XK' }],
      ['workspace.created', { name: 'Paris', country: 'FR' }],
    ]);
  });

  test.each([
    'de',
    'DEU',
    'ZZ',
    'EU',
    'UK',
    '',
    ' DE',
    '49',
    'constructor',
    49,
    true,
    ['DE'],
    { code: 'DE' },
  ])(
    'the country %j is refused at every entrance with an error that names the parameter',
    async (country) => {
      for (const [path, token] of ways()) {
        const json = { name: 'x', country };
        const changed = await ask(service.url, path, { method: 'PATCH', token, json });
        expectRefusal(changed, 400, 'invalid_params', /^`country` must be /);
        expect((await ask(service.url, path, { token })).json?.['country']).toBeNull();
      }
      const token = workspace.sessionToken;
      const workspaces = '/api/ui/workspaces';
      const created = await ask(service.url, workspaces, { token, json: { name: 'x', country } });
      expectRefusal(created, 400, 'invalid_params', /^`country` must be /);
      const json = { type: 'sandbox', credentials: {}, country };
      const providers = `${workspaces}/${workspace.workspaceId}/providers`;
      const added = await ask(service.url, providers, { token, json });
      expectRefusal(added, 400, 'invalid_params', /^`country` must be /);
    },
  );

  test('a rename is refused with 403 for users who are not members, and with 404 for an unknown workspace', async () => {
    const other = await service.addWorkspace();
    for (const json of [{ name: 'mine now' }, { name: '' }, {}]) {
      const theirs = `/api/ui/workspaces/${other.workspaceId}`;
      const refused = await ask(service.url, theirs, {
        method: 'PATCH',
        token: workspace.sessionToken,
        json,
      });
      expectRefusal(refused, 403, 'forbidden', /^Insufficient permissions for the resource/);
      for (const id of [
        '01920000-0000-7000-8000-000000000000',
        'x',
        '1',
        other.workspaceId.slice(1),
      ]) {
        const unknown = `/api/ui/workspaces/${id}`;
        const response = await ask(service.url, unknown, {
          method: 'PATCH',
          token: workspace.sessionToken,
          json,
        });
        expectRefusal(response, 404, 'not_found');
      }
    }
    const { json } = await ask(service.url, '/api/workspace', { token: other.apiKey });
    expect(json?.['name']).toBe('Test workspace');
  });

  test('a user who creates a workspace is its owner', async () => {
    const created = await ask(service.url, '/api/ui/workspaces', {
      token: workspace.sessionToken,
      json: { name: ' New ' },
    });
    expect(created.status).toBe(201);
    expect(created.json).toStrictEqual({
      id: expect.any(String),
      name: 'New',
      mode: 'live',
      live_workspace_id: created.json?.['id'],
      country: null,
      require_second_factor: false,
      encoding: 'as_is',
      created_at: expect.any(String),
      provider_configured: false,
      default_number: null,
    });
    const { json } = await ask(service.url, '/api/ui/me', { token: workspace.sessionToken });
    expect(json).toStrictEqual({
      user: { id: workspace.userId, email: workspace.email, name: 'Owner' },
      email_confirmed: false,
      pending_email: null,
      has_password: true,
      identity: null,
      sends_mail: false,
      second_factor: null,
      workspaces: [
        {
          id: workspace.workspaceId,
          name: expect.any(String),
          role: 'owner',
          needs_second_factor: false,
        },
        { id: created.json?.['id'], name: 'New', role: 'owner', needs_second_factor: false },
      ],
      carrier_simulated: false,
      phone_url: null,
    });
  });
});
