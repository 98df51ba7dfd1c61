import { expect, test } from 'vitest';
import { findMentions } from './find-mentions.ts';

const member = (name: string, id = name) => ({ id, name });
const MEMBERS = [
  'lee',
  'lee_dohm',
  'The H',
  'Ann',
  'Anna',
  'Ann Lee',
  'José',
  'Zoë',
  '李',
  '李明',
].map((name) => member(name));
const SAMS = [member('Sam', 'sam-1'), member('Sam', 'sam-2')];

test.each([
  ['@Anna, please call', ['Anna']],
  ['Please call, @Ann', ['Ann']],
  ['@Ann Lee and @anna', ['Ann Lee', 'Anna']],
  ['@Annabel and ann@Anna.example', []],
  ['(@Jose\u0301) @zoë’s turn', ['José', 'Zoë']],
  ['@李明，请回电', ['李明']],
  ['@李明请回电', ['李明']],
  ['@Ann\n@Ann', ['Ann']],
  ['Ann, Anna', []],
  ['@lee_dohm, see @The Habiticans', ['lee_dohm']],
])('the text %j mentions %j', (text, ids) => {
  expect(findMentions(text, MEMBERS, [])).toEqual(ids);
});

test('of members with the same name, only the one who was chosen is mentioned', () => {
  expect(findMentions('@Sam?', SAMS, SAMS.slice(1))).toEqual(['sam-2']);
  expect(findMentions('@Sam?', SAMS, [])).toEqual([]);
});

test('a member who was chosen and whose name was deleted from the text is not mentioned', () => {
  expect(findMentions('@Samuel', SAMS, SAMS.slice(1))).toEqual([]);
});

test('a person who was mentioned and has left is still mentioned', () => {
  expect(findMentions('Thanks @Grace', MEMBERS, [member('Grace')])).toEqual(['Grace']);
});
