import { auditList } from '@switchboard/contracts';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { describeEntry } from './describe-entry.ts';

const ACCOUNT = '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';
const names = {
  provider: (id: string) => (id === ACCOUNT ? 'Main' : null),
  vendor: (type: string) => (type === 'twilio' ? 'Twilio' : type),
};

const ACTIONS = auditList.shape.data.element.shape.action.options;

/** Without the marks that isolate names. */
function say(entry: Parameters<typeof describeEntry>[0]): string {
  const { sentence, details } = describeEntry(entry, names, 'Ada');
  return [renderToStaticMarkup(sentence), ...details].join(' | ').replaceAll(/[\u2068\u2069]/g, '');
}

describe('sentences of the audit trail', () => {
  test.each([
    [
      'number.changed',
      ACCOUNT,
      { number: '+14155550100', label: 'Support', is_default: true, provider_id: ACCOUNT },
      'Ada changed the sender +1 415 555 0100. | Name: “Support” | Default sender | Account: Main',
    ],
    [
      'member.role_changed',
      ACCOUNT,
      { email: 'grace@example.com', from: 'member', to: 'owner' },
      'Ada changed the role of grace@example.com from member to owner.',
    ],
    [
      'member.role_changed',
      ACCOUNT,
      { email: 'grace@example.com', from: 'member', to: 'member' },
      'Ada decided that grace@example.com stays member, whatever groups of single sign-on give.',
    ],
    [
      'member.invited',
      'guest@example.com',
      { role: 'member' },
      'Ada invited guest@example.com as member.',
    ],
    [
      'provider.set',
      'AC0',
      { type: 'twilio', name: 'Main', secret_last4: 'bbbb', on_unknown: 'fail', enabled: false },
      'Ada saved the Twilio account Main. | Secret ends with bbbb | After an unknown outcome: mark as failed | Switched off',
    ],
    [
      'routing.set',
      ACCOUNT,
      {
        rules: [
          { prefix: '+49', providers: [{ providerId: ACCOUNT, weight: 1 }] },
          {
            prefix: '',
            providers: [
              { providerId: ACCOUNT, weight: 2 },
              { providerId: 'gone', weight: 1 },
            ],
          },
        ],
        failover: true,
      },
      'Ada changed the routing. | Numbers from +49: Main | All numbers: Main (weight 2), a removed account (weight 1) | Use another account when one is unavailable: yes',
    ],
    [
      'keyword_replies.changed',
      ACCOUNT,
      { opt_out: { from: null, to: 'Bye' } },
      'Ada changed the keyword replies. | STOP: from the built-in text to “Bye”',
    ],
    [
      'webhook_endpoint.secret_rotated',
      ACCOUNT,
      { overlap_seconds: 86_400 },
      'Ada replaced the secret of a webhook endpoint. | The old secret was valid for 24 more hours',
    ],
    [
      'saved_reply.changed',
      ACCOUNT,
      { name: 'Hours', body: 'We open at 9.' },
      'Ada changed the saved reply Hours. | Text: “We open at 9.”',
    ],
    ['note.edited', '+14155550123', {}, 'Ada edited a note about +1 415 555 0123.'],
    [
      'note.removed',
      '+14155550123',
      { author: 'Grace' },
      'Ada removed a note by Grace about +1 415 555 0123.',
    ],
  ] as const)(
    'the audit entry %s is described by a sentence and its details',
    (action, target, detail, text) => {
      expect(say({ action, target, detail, ip: null })).toBe(text);
      expect(say({ action, target, detail, ip: '203.0.113.7' })).toBe(`${text} | from 203.0.113.7`);
    },
  );

  test('no sentence shows an ID, a field’s name or JSON, whatever the entry records', () => {
    const detail = {
      name: 'A name',
      from: 'A',
      to: 'B',
      email: 'ada@example.com',
      role: 'owner',
      number: '+14155550100',
      url: 'https://example.com/',
      enabled: true,
      event_types: ['message.created'],
    };
    for (const action of ACTIONS.filter((each) => each !== 'keyword_replies.changed')) {
      const text = say({ action, target: '+14155550123', detail, ip: null });
      expect([action, text]).toEqual([
        action,
        expect.not.stringMatching(/undefined|null|[{}[\]]|\w_\w/),
      ]);
    }
  });

  test('names of any direction are isolated, so that they do not reorder the sentence', () => {
    const { sentence } = describeEntry(
      { action: 'api_key.created', target: ACCOUNT, detail: { name: 'מפתח' }, ip: null },
      names,
      'Ada',
    );
    expect(renderToStaticMarkup(sentence)).toBe('Ada created the API key \u2068מפתח\u2069.');
  });
});
