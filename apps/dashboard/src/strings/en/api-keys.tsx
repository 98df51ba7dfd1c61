import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// api-key-settings.tsx
export const apiKeysAbout =
  'Programs use a key to send messages, read the history and manage numbers. To replace a key, create a new one, switch to it, then revoke the old one.';
export const noKeysYet = 'No keys yet';
export const noKeysYetHint = 'A program needs a key to send messages.';
export const revoked = 'Revoked';
export const neverUsed = (created: ReactNode) => <>Created {created} · never used</>;
export const lastUsed = ({ created, used }: { created: ReactNode; used: ReactNode }) => (
  <>
    Created {created} · last used {used}
  </>
);
export const keyCount = (count: number) =>
  plural(count, { one: `${formatCount(count)} key`, other: `${formatCount(count)} keys` });
export const revoke = 'Revoke';
export const revokeNamed = (name: string) => `Revoke ${name}`;
export const revokeQuestion = (name: string) => `Revoke “${name}”?`;
export const revokeExplained =
  'The key stops working immediately and can’t be restored. Programs that use it can no longer send messages.';
export const createAKey = 'Create a key';
export const name = 'Name';
export const nameHint = 'The program that will use the key, for example Web shop.';
export const createKey = 'Create key';
export const key = (name: string) => `The key “${name}”`;
export const copyKeyNow = 'Copy the key now. It is shown only once.';
export const copyKey = 'Copy key';
