import { expect, test } from 'vitest';
import { markWords } from './mark-words.ts';

const show = (text: string, search: string): string =>
  markWords(text, search)
    .map(({ text: part, isFound }) => (isFound ? `[${part}]` : part))
    .join('');

test('a search result marks the matched beginnings of words, in any case and script', () => {
  expect(show('The rear brake, Rear.', 'REAR br')).toBe('The [rear] [br]ake, [Rear].');
  expect(show('Größe und Maße', 'größ')).toBe('[Größ]e und Maße');
  expect(show('मुझे हिन्दी में', 'हिन्दी')).toBe('मुझे [हिन्दी] में');
  expect(show('Caf\u00e9, cafe\u0301', 'caf\u00e9 \u2764\ufe0f')).toBe('[Caf\u00e9], [cafe\u0301]');
  expect(show('予約の確認をお願いします', '確認')).toBe('予約の[確認]をお願いします');
  expect(show('H\u00f4tel, ho\u0302tel\u0301!', 'hotel')).toBe(
    '[H\u00f4tel], [ho\u0302tel\u0301]!',
  );
  expect(show('Die STRASSE, Straße', 'straße')).toBe('Die [STRASSE], [Straße]');
  expect(show('IŞIK Işık', 'isik')).toBe('[IŞIK] [Işık]');
  expect(show('확인, 예약확인', '확인')).toBe('[확인], 예약[확인]');
  expect(show('unclear', 'clear')).toBe('unclear');
  expect(show('a.b', '.*')).toBe('a.b');
});

test('a long text in a search result begins shortly before the first match', () => {
  const text = `${'word '.repeat(40)}needle in the end`;
  expect(show(text, 'needle')).toMatch(/^…(word )+\[needle\] in the end$/);
  expect(show(text, 'needle').length).toBeLessThan(80);
});
