import type { KeyScope } from '@switchboard/contracts';
import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// api-key-settings.tsx
export const apiKeysAbout =
  'Programs use a key to send messages, read the history and manage numbers. A key can be limited to what its program needs.';
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
export const expired = 'Expired';
export const limited = 'Limited';

export const modeNames = { live: 'Live', test: 'Test' } as const;

// api-keys
export const mode = 'Mode';
export const liveKey = 'Live: messages reach people';
export const testKey = 'Test: messages are simulated and reach no phone';
export const scopes = 'Access';
export const allScopes = 'Everything that keys can do';
export const someScopes = 'Only what is selected';
export const scopeTexts: Record<KeyScope, string> = {
  'messages:send': 'Send and cancel messages, upload media',
  'messages:read': 'Read messages',
  'events:read': 'Follow events and messages live',
  verify: 'Verifications',
  'workspace:write': 'Change the workspace',
  'numbers:write': 'Read and change senders',
  'contacts:write': 'Read and change contacts',
  'webhooks:write': 'Read and change webhooks, which receive messages',
  'broadcasts:write': 'Broadcasts',
};
export const scopeName = (scope: string) =>
  scope === '*' ? 'Everything' : (scopeTexts[scope as KeyScope] ?? scope);
export const expiry = 'Expires';
export const never = 'Never';
export const lifetimes = [
  [0, 'Never'],
  [7, 'In 7 days'],
  [30, 'In 30 days'],
  [90, 'In 90 days'],
  [365, 'In a year'],
] as const;
export const addresses = 'Allowed addresses';
export const anyAddress = 'Any';
export const addressesHint =
  'Addresses or networks such as 203.0.113.0/24, separated by spaces. Empty for any address.';
export const details = 'About this key';
export const lastAddress = 'Last used from';
export const none = '–';
export const earlierSecrets = 'Earlier secrets work';
export const until = (time: string) => `until ${time}`;
export const tryTheKey = 'Try the key in a terminal:';
export const sendWithTheKey = 'Send a message:';
export const copyCommand = 'Copy command';
export const reference = 'API reference';
export const rotate = 'Rotate';
export const rotateNamed = (name: string) => `Rotate ${name}`;
export const rotateQuestion = (name: string) => `Rotate “${name}”?`;
export const rotateExplained =
  'The key gets a new secret, which is shown once. Switch the program to it before the old secret stops working. Earlier secrets stop working at that time too.';
export const overlap = 'The old secret stops working';
export const overlaps = [
  [0, 'Immediately'],
  [3_600, 'In an hour'],
  [86_400, 'In a day'],
  [604_800, 'In 7 days'],
] as const;
/** A request that every key may make. */
export const checkCommand = (api: string, key: string) =>
  `curl ${api}/workspace -H "Authorization: Bearer ${key}"`;
export const sendCommand = (api: string, key: string) =>
  `curl ${api}/messages -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"to":"+14155550123","body":"Hello"}'`;
/** The variable of a shell, in place of a key that is no longer shown. */
export const keyVariable = '$SWITCHBOARD_KEY';
