import { expect, test } from 'vitest';
import { mailSenderSetting, smtpUrlSetting } from './mail-kinds.ts';

const parse = (text: string) => smtpUrlSetting().schema.safeParse(text);

test.each([
  ['smtp://mail.example.com', { port: 587, isTls: false, login: null, isLocal: false }],
  ['smtps://mail.example.com', { port: 465, isTls: true, login: null }],
  ['smtp://localhost:1025', { host: 'localhost', port: 1025, isLocal: true }],
  ['smtp://[::1]:25/', { host: '::1', port: 25, isLocal: true }],
  ['smtps://mail.example.com:2465', { port: 2465, isTls: true }],
  [
    'smtp://apikey:p%40ss%2Fword%25@mail.example.com',
    { login: { user: 'apikey', password: 'p@ss/word%' } },
  ],
  ['smtp://user%40example.com:x@mail.example.com', { login: { user: 'user@example.com' } }],
])('the SMTP URL %s is read', (text, expected) => {
  expect(parse(text).data).toMatchObject(expected);
});

test.each([
  ['mail.example.com:587', /must be a URL such as smtp:/],
  ['https://mail.example.com', /must be a URL such as smtp:/],
  ['smtp://user:p@ss/word@mail.example.com', /percent-encoded/],
  ['smtp://user:100%@mail.example.com', /percent-encoded/],
  ['smtp://mail.example.com/?pool=true', /must be a URL such as smtp:/],
  ['smtp://user@mail.example.com', /both a user and a password/],
  ['smtp://mail.example.com:465', /begin with smtps:\/\/ for port 465/],
  ['smtps://mail.example.com:587', /begin with smtp:\/\/ for port 587/],
  ['smtps://mail.example.com:25', /begin with smtp:\/\/ for port 25/],
])('the SMTP URL %s is refused with what to change', (text, problem) => {
  const [issue] = parse(text).error?.issues ?? [];
  expect(issue?.message).toMatch(problem);
});

test.each([
  ['switchboard@example.com', { name: '', address: 'switchboard@example.com' }],
  ['Switchboard <no-reply@example.com>', { name: 'Switchboard', address: 'no-reply@example.com' }],
  ['"Zürich, Büro" <a@example.com>', { name: 'Zürich, Büro', address: 'a@example.com' }],
])('the sender %s is read', (text, expected) => {
  expect(mailSenderSetting().schema.parse(text)).toEqual(expected);
});

test.each([
  'Switchboard',
  'a@example.com, b@example.com',
  'Name\r\nBcc: c@example.com <a@example.com>',
  '<a@example.com> trailing',
])('the sender %j is refused', (text) => {
  expect(mailSenderSetting().schema.safeParse(text).success).toBe(false);
});
