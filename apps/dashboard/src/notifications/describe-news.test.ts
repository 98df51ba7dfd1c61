import { describe, expect, test } from 'vitest';
import { type NewsItem, describeNews } from './describe-news.ts';

const message: NewsItem = { kind: 'message', number: '+14155550123', who: 'Maya', text: 'Hello' };
const mention: NewsItem = { ...message, kind: 'mention', who: 'Grace', text: '@Ada please call' };
const assignment: NewsItem = { ...message, kind: 'assignment', text: '' };

describe('the text of a notification', () => {
  test('shows who wrote a message and its start, and names a mention or an assignment', () => {
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

  test('shows neither a name nor a text if the content is hidden', () => {
    for (const news of [message, mention, assignment]) {
      const { title, body } = describeNews([news], true);
      expect(`${title} ${body}`).not.toMatch(/Maya|Grace|Hello|call/);
    }
  });

  test('counts several items at once, so that a busy minute causes one notification', () => {
    expect(describeNews([message, message], false).body).toBe('2 new messages');
    expect(describeNews([message, mention, assignment], false).body).toBe(
      '1 new message, 2 mentions or assignments',
    );
  });
});
