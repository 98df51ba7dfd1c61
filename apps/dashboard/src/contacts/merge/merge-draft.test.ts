import type { Contact } from '@switchboard/contracts';
import { expect, test } from 'vitest';
import { chooseField, chooseNumber, listOptions, startDraft } from './merge-draft.ts';

const contactOf = (parts: Partial<Contact>): Contact => ({
  id: '',
  number: '',
  other_numbers: [],
  name: '',
  fields: {},
  tags: [],
  created_at: '',
  updated_at: '',
  ...parts,
});
const ada = contactOf({
  number: '+1',
  tags: ['customer'],
  fields: { City: 'London', Plan: 'Free' },
});
const byron = contactOf({
  number: '+2',
  other_numbers: ['+3'],
  name: 'Ada Byron',
  tags: ['customer', 'vip'],
  fields: { City: 'London', Plan: 'Paid', Age: '36' },
});

test('a merge initially keeps everything from both contacts, and the values of the first where they differ', () => {
  expect(startDraft(ada, byron)).toEqual({
    number: '+1',
    otherNumbers: ['+2', '+3'],
    name: 'Ada Byron',
    tags: ['customer', 'vip'],
    fields: { City: 'London', Plan: 'Free', Age: '36' },
  });
  expect(listOptions(ada, byron).fields).toEqual([
    ['Age', ['36']],
    ['City', ['London']],
    ['Plan', ['Free', 'Paid']],
  ]);
});

test('a merge can change the main number and keep the previous one, and can omit a field', () => {
  const draft = startDraft(ada, byron);
  expect(chooseNumber(draft, '+3')).toMatchObject({ number: '+3', otherNumbers: ['+1', '+2'] });
  expect(chooseField(draft, 'Age', null).fields).toEqual({ City: 'London', Plan: 'Free' });
  expect(chooseField(draft, 'Plan', 'Paid').fields['Plan']).toBe('Paid');
});
