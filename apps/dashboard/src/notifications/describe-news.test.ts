import { describe, expect, test } from 'vitest';
import { type News, describeNews } from './describe-news.ts';

const message: News = { kind: 'message', number: '+14155550123', who: 'Maya', text: 'Hello' };
const mention: News = { ...message, kind: 'mention', who: 'Grace', text: '@Ada please call' };
const assignment: News = { ...message, kind: 'assignment', text: '' };

describe('the text of a notification', () => {
  test('a message shows who wrote it and its start, a mention and an assignment say what they are', () => {
    expect(describeNews([message], false)).toEqual({ title: 'Maya', body: 'Hello' });
    const long = { ...message, text: 'x'.repeat(200) };
    expect(describeNews([long], false).body).toHaveLength(141);
    expect(describeNews([{ ...message, text: '' }], false).body).toBe('Media');
    expect(describeNews([mention], false)).toEqual({
      title: 'Grace mentioned you',
      body: '@Ada please call',
    });
    expect(describeNews([assignment], false)).toEqual({
      title: 'A conversation was assigned to you',
      body: 'Maya',
    });
  });

  test('hidden content shows neither a name nor a text', () => {
    for (const news of [message, mention, assignment]) {
      const { title, body } = describeNews([news], true);
      expect(`${title} ${body}`).not.toMatch(/Maya|Grace|Hello|call/);
    }
  });

  test('several at once are counted, so that a busy minute causes one notification', () => {
    expect(describeNews([message, message], false).body).toBe('2 new messages');
    expect(describeNews([message, mention, assignment], false).body).toBe(
      '1 new message, 2 mentions or assignments',
    );
  });
});
