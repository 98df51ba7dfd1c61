import { expect, test } from 'vitest';
import { MENTION_RANGES_MAX, findMentions } from './find-mentions.ts';

const member = (name: string, id = name) => ({ id, name });
const MEMBERS = [
  'lee',
  'lee_dohm',
  'The H',
  'Ann',
  'Anna',
  'Ann Lee',
  'Bob',
  'Corp',
  'José',
  'Zoë',
  '李',
  '李明',
  '민수',
  '김민준',
  'ดวงใจ',
  'נועה לוי',
  'سارا\u200Cجان',
  'Łukasz Żak',
  'Νίκος',
].map((name) => member(name));
const SAMS = [member('Sam', 'sam-1'), member('Sam', 'sam-2')];
const find = (text: string, people = MEMBERS, chosen = [] as { id: string; start: number }[]) =>
  findMentions(text, people, { chosen: chosen.map((range) => ({ name: 'Sam', ...range })) });
const ids = (...given: Parameters<typeof find>) => find(...given).map(({ id }) => id);

test.each([
  ['@Anna, please call', ['Anna']],
  ['Please call, @Ann', ['Ann']],
  ['@Ann Lee and @anna', ['Ann Lee', 'Anna']],
  ['@Ann\u00A0Lee', ['Ann Lee']],
  ['(@Jose\u0301) @zoë’s turn', ['José', 'Zoë']],
  ['@łukasz z\u0307ak?', ['Łukasz Żak']],
  ['@ΝΊΚΟΣ.', ['Νίκος']],
  ['@李明，请回电', ['李明']],
  ['请@李明请回电', ['李明']],
  ['김과장@민수님께', ['민수']],
  ['＠李 さん', ['李']],
  ['@\u1100\u1175\u11B7\u1106\u1175\u11AB\u110C\u116E\u11AB', ['김민준']],
  ['@ดวงใจช่วยโทร', ['ดวงใจ']],
  ['@\u2068נועה לוי\u2069, תודה', ['נועה לוי']],
  ['@ساراجان', ['سارا\u200Cجان']],
  ['@Ann/@Bob cc:@Anna', ['Ann', 'Bob', 'Anna']],
  ['-@Bob: “@Ann”…', ['Bob', 'Ann']],
  ['@Ann\n@Ann', ['Ann', 'Ann']],
  ['@lee_dohm, see @The Habiticans', ['lee_dohm']],
])('the text %j mentions %j', (text, expected) => {
  expect(ids(text)).toEqual(expected);
});

test.each([
  'Ann, Anna',
  '@Annabel',
  '@Ann-Marie',
  '@Annä',
  '@Bo',
  '@bob@corp.com',
  'mail bob@corp.com',
  'mail first.@bob and x+@bob',
  '@bob.com',
  '@bob_x',
  '@@bob',
  'https://mastodon.example/@bob',
  'tiktok.com/@bob?from=@ann',
  '@ Bob',
])('the text %j mentions no member', (text) => {
  expect(ids(text)).toEqual([]);
});

test('a range has the name as the text has it, at its place', () => {
  const text = 'İ @ann  and @Jose\u0301!';
  expect(find(text)).toEqual([
    { id: 'Ann', start: 2, name: 'ann' },
    { id: 'José', start: 12, name: 'Jose\u0301' },
  ]);
  expect(text.slice(12, 18)).toBe('@Jose\u0301');
});

test('of members with the same name, each chosen range mentions the one who was chosen there', () => {
  expect(ids('@Sam?', SAMS)).toEqual([]);
  const chosen = [
    { id: 'sam-2', start: 0 },
    { id: 'sam-1', start: 10 },
  ];
  expect(ids('@Sam @Sam @Sam', SAMS, chosen)).toEqual(['sam-2', 'sam-1']);
});

test('a chosen range whose name was changed or continued in the text is not a mention', () => {
  for (const text of ['@Samuel', '@Sa', 'x@Sam', '@sam-2']) {
    expect(ids(text, SAMS, [{ id: 'sam-2', start: text.indexOf('@') }])).toEqual([]);
  }
});

test('a person who was chosen and has left is still mentioned', () => {
  expect(ids('@Sam!', MEMBERS, [{ id: 'left', start: 0 }])).toEqual(['left']);
});

test('of members with the same name, the only one who may be meant is mentioned, and other names still count', () => {
  const isMeant = (id: string) => id === 'sam-2' || id === 'Ann';
  const people = [...SAMS, ...MEMBERS];
  const found = findMentions('@Sam, not @Ann Lee', people, { chosen: [], isMeant });
  expect(found).toEqual([{ id: 'sam-2', start: 0, name: 'Sam' }]);
});

test('a text has at most its limit of ranges', () => {
  expect(find('@Ann '.repeat(400))).toHaveLength(MENTION_RANGES_MAX);
});
