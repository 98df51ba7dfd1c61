import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiResponse, type Service, shareService } from './start-service.ts';
import { clientOf } from './workspace-client.ts';

let service: Service;

beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());

type Saved = Record<'id' | 'updated_at', string>;

function recordOf({ json }: ApiResponse): Saved {
  return json as Saved;
}

const RECORDS = [
  ['saved view', '/saved-views', { name: 'Failed', filters: { status: 'failed' } }],
  ['saved reply', '/saved-replies', { name: 'Hours', body: 'We open at nine.' }],
  ['contact', '/contacts', { number: '+14155550123', name: 'Ada', fields: { city: 'Oslo' } }],
] as const;

test.each(RECORDS)(
  'PATCH changes `updated_at` of a %s only if a field changes',
  async (_what, list, record) => {
    const workspace = await service.addWorkspace();
    const client = clientOf(service, workspace, workspace.sessionToken);
    const added = recordOf(await client(list, { json: record }));
    const path = `${list}/${added['id']}`;
    const patch = (json: object) => client(path, { method: 'PATCH', json });
    for (const unchanged of [{}, record]) {
      expect(await patch(unchanged)).toMatchObject({ status: 200, json: added });
    }
    const renamed = recordOf(await patch({ name: 'Another name' }));
    const updatedAt = renamed['updated_at'];
    expect(renamed).toEqual({ ...added, name: 'Another name', updated_at: updatedAt });
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(added['updated_at']));
  },
);
