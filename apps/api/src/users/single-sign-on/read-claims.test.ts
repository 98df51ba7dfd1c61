import { expect, test } from 'vitest';
import {
  type Claims,
  isComplete,
  mergeClaims,
  readGroups,
  readVerifiedEmail,
} from './read-claims.ts';

const ENTRA = 'https://login.microsoftonline.com/2cc49a09-c141-4f5c-b2cf-3a4b0a4b1c5f/v2.0';
const GOOGLE = 'https://accounts.google.com';
const OTHER = 'https://id.example.com';

const verifiedOf = (iss: string, claims: Record<string, unknown>) =>
  readVerifiedEmail({ iss, sub: '1', email: 'ada@corp.example', ...claims });

test('an address counts as verified only if the provider says so, as a boolean or a text', () => {
  for (const value of [true, 'true']) {
    expect(verifiedOf(OTHER, { email_verified: value })).toBe('ada@corp.example');
  }
  for (const value of [undefined, false, 'false', 1, '1', 'yes', null, {}, [true]]) {
    expect([value, verifiedOf(OTHER, { email_verified: value })]).toEqual([value, null]);
  }
});

test('the claim xms_edov of Entra counts as email_verified on Microsoft’s hosts only, and does not overrule it', () => {
  for (const value of [true, 'true', 1, '1']) {
    expect(verifiedOf(ENTRA, { xms_edov: value })).toBe('ada@corp.example');
    expect(verifiedOf(OTHER, { xms_edov: value })).toBeNull();
    expect(
      verifiedOf(`https://login.microsoftonline.com.evil.example/x`, { xms_edov: value }),
    ).toBeNull();
    expect(verifiedOf(ENTRA, { xms_edov: value, email_verified: false })).toBeNull();
  }
  for (const value of [undefined, false, '0', 0, 'no']) {
    expect(verifiedOf(ENTRA, { xms_edov: value })).toBeNull();
  }
  // These names of accounts need not be addresses.
  expect(
    verifiedOf(ENTRA, { email: undefined, upn: 'ada@corp.example', xms_edov: true }),
  ).toBeNull();
});

test('an address of a Google account counts as verified only if Google hosts it', () => {
  const verified = { email_verified: true };
  expect(verifiedOf(GOOGLE, verified)).toBeNull();
  expect(verifiedOf(GOOGLE, { ...verified, hd: '' })).toBeNull();
  expect(verifiedOf(GOOGLE, { ...verified, hd: 'corp.example' })).toBe('ada@corp.example');
  expect(verifiedOf(GOOGLE, { ...verified, email: 'ada@gmail.com' })).toBe('ada@gmail.com');
  expect(verifiedOf(GOOGLE, { ...verified, email: 'ada@gmail.com.evil.example' })).toBeNull();
  expect(verifiedOf(GOOGLE, { email_verified: false, hd: 'corp.example' })).toBeNull();
});

test('the userinfo cannot declare the address of the ID token verified, nor the reverse', () => {
  const token: Claims = { iss: GOOGLE, sub: '1', email: 'victim@corp.example', hd: 'corp.example' };
  const merged = mergeClaims(token, { sub: '1', email: 'mine@evil.example', email_verified: true });
  expect(readVerifiedEmail(merged)).toBeNull();
  expect(readVerifiedEmail(mergeClaims(token, { sub: '1', email_verified: true }))).toBeNull();
});

test('groups are read from a list, one text or a path, and an absent claim means no group', () => {
  const groupsOf = (claims: Record<string, unknown>, name: string) => {
    const groups = readGroups({ iss: OTHER, sub: '1', ...claims }, name);
    return groups === 'too_many' ? groups : [...groups];
  };
  expect(groupsOf({ groups: ['a', 'b', 3, null] }, 'groups')).toEqual(['a', 'b']);
  expect(groupsOf({ groups: 'a' }, 'groups')).toEqual(['a']);
  expect(groupsOf({}, 'groups')).toEqual([]);
  expect(groupsOf({ realm_access: { roles: ['a'] } }, 'realm_access.roles')).toEqual(['a']);
  expect(groupsOf({ 'https://corp.example/groups': ['a'] }, 'https://corp.example/groups')).toEqual(
    ['a'],
  );
  expect(groupsOf({ _claim_names: { groups: 'src1' } }, 'groups')).toBe('too_many');
  expect(groupsOf({ hasgroups: true }, 'groups')).toBe('too_many');
  expect(groupsOf({ groups: Array.from({ length: 2_001 }, String) }, 'groups')).toBe('too_many');
  expect(
    isComplete({ iss: OTHER, sub: '1', email: 'a@b.example', email_verified: true }, 'groups'),
  ).toBe(false);
});
