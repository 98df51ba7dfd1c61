import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// provider-settings.tsx
export const provider = 'Provider';
export const noProviderYet = 'This workspace has no provider yet. An owner can connect one here.';

// account-form.tsx
export const kindOfGateway = 'Kind of gateway';
export const nameOptional = 'Name (optional)';
export const countryOfAccountHint =
  'Numbers that the provider reports without a country code are read as numbers of this country.';
export const countryOfWorkspace = 'The country of the workspace';
export const nameOptionalHint = 'Shown only here, for example Backup.';
export const moreSettings = 'More settings';

// account-health.tsx
export const working = 'Working';
export const mostFail = 'Most messages fail';
export const credentialsRefused = 'Credentials refused';
export const notResponding = 'Not responding';
export const off = 'Off';
export const accountIsOff =
  'An owner has switched this account off. It sends no messages, but still receives them.';
export const credentialsRefusedNow =
  'The provider refuses these credentials. Nothing is sent with this account until you enter new ones.';
export const credentialsRefusedSince = (time: string) =>
  `The provider has refused these credentials since ${time}. Nothing is sent with this account until you enter new ones.`;
export const notRespondingNow =
  'The provider has not responded. Until it responds again, messages wait, or use another account if the routing permits it. Switchboard checks at least once a minute.';
export const notRespondingSince = (time: string) =>
  `The provider has not responded since ${time}. Until it responds again, messages wait, or use another account if the routing permits it. Switchboard checks at least once a minute.`;

// account-row.tsx
export const defaultLabel = 'Default';
export const verifyNamed = (name: string) => `Verify ${name}`;
export const verifying = 'Verifying…';
export const verify = 'Verify';
export const changeNamed = (name: string) => `Change ${name}`;
export const makeDefaultNamed = (name: string) => `Make default: ${name}`;
export const makeDefault = 'Make default';
export const switchOff = 'Switch off';
export const switchOn = 'Switch on';
export const remove = (name: string) => `Remove ${name}`;
export const removeQuestion = (name: string) => `Remove ${name}?`;
export const removeOnlyAccount =
  'No message can be sent until you connect another account. The statuses of sent messages are still updated when this is possible without credentials.';
export const removeOneOfAccounts =
  'First move its numbers and routing rules to another account. After the account is removed, Switchboard can’t check whether messages with an unknown outcome were sent.';
export const saveAccount = 'Save account';
export const webhookUrlsFor = (vendor: string) => `Webhook URLs for ${vendor}`;
export const switchOffNamed = (name: string) => `Switch off ${name}`;
export const switchOnNamed = (name: string) => `Switch on ${name}`;

// account-share.tsx
export const periods = { hour: 'Last hour', day: 'Last 24 hours' };
export const noMessages = 'no messages';
export const lessThan = (percent: string) => `less than ${percent}`;
export const handedOver = (count: number) =>
  plural(count, { one: `${formatCount(count)} message`, other: `${formatCount(count)} messages` });
export const ofTheNewest = (total: number) => `of the newest ${formatCount(total)}`;
/** An account’s part of the messages of all accounts. */
export const shareOfAll = (percent: string) => `${percent} of all`;
export const delivered = (count: number) => `${formatCount(count)} delivered`;
export const failed = (count: number) => `${formatCount(count)} failed`;
export const inProgress = (count: number) => `${formatCount(count)} in progress`;

// connect-account.tsx
export const addAnAccount = 'Add an account';
export const connectFirstAbout =
  'The account that sends and receives this workspace’s messages. Choose its provider.';
export const connectAnotherAbout =
  'With a second account, messages can be sent while the first one is not available.';
export const connect = (name: string) => `Connect ${name}`;

// connected-account.tsx
export const enterWebhookUrls = 'Enter the webhook URLs';
export const chooseItsNumbers = 'Choose the account’s numbers';
export const addItsNumbers = 'Add the account’s numbers';
export const isConnected = (name: string) => `${name} is connected.`;

// credential-input.tsx
export const keepCredentials = 'Leave empty to keep the credentials.';
export const enterJsonObject = 'Enter a JSON object.';

// provider-accounts.tsx
export const providerAccounts = 'Provider accounts';
export const onlyAccountAbout = 'The account that sends and receives this workspace’s messages.';
export const accountsAbout =
  'A message uses the account of its sender, or one that the routing selects.';
export const accountCount = (count: number) =>
  plural(count, { one: `${formatCount(count)} account`, other: `${formatCount(count)} accounts` });

// vendor-steps.tsx
export const stepsInConsole = (name: string) => `Steps in the ${name} console`;
export const openConsoleOf = (vendor: string) => `Open the ${vendor} console`;

// webhook-urls.tsx
export const inboundUrl = 'Inbound URL';
export const statusUrl = 'Status URL';
export const copyInboundUrl = 'Copy the inbound URL';
export const copyStatusUrl = 'Copy the status URL';

// unknown-outcome-field.tsx
export const failNothingTwice = 'Mark the message as failed: nothing is sent twice';
export const resendMaybeTwice = 'Send the message once more: the recipient may receive it twice';
export const checkThenResend = 'Check with the provider, then send the message once more';
export const failForCodes = 'Mark the message as failed, for example for one-time codes';
export const ifUnconfirmed = 'If the provider can’t confirm whether a message was sent';
