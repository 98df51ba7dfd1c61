import { expect, test } from 'vitest';
import { putTable } from './put-table.ts';

function copy(rows: string[][]): Record<string, string> {
  const data: Record<string, string> = {};
  const clipboard = { setData: (type: string, text: string) => void (data[type] = text) };
  putTable(clipboard, rows);
  return data;
}

test('copied cells have tabs between them, and a cell with a tab, a line break or a quote is quoted', () => {
  const rows = [
    ['Delivered', '+1 415 555 0130', 'one\ntwo'],
    ['Failed', 'a\tb', '5" & <b>'],
  ];
  expect(copy(rows)).toEqual({
    'text/plain': 'Delivered\t+1 415 555 0130\t"one\ntwo"\nFailed\t"a\tb"\t"5"" & <b>"',
    'text/html':
      '<table><tbody><tr><td>Delivered</td><td>+1 415 555 0130</td><td>one<br>two</td></tr>' +
      '<tr><td>Failed</td><td>a\tb</td><td>5" &amp; &lt;b&gt;</td></tr></tbody></table>',
  });
});

test.each(['=HYPERLINK("x")', '+1+cmd', '-2', '@SUM(A1)', '＝1'])(
  'the text %j is copied with an apostrophe, so that no spreadsheet executes it',
  (text) => {
    expect(copy([[text]])['text/html']).toContain(`<td>'${text}`);
  },
);
