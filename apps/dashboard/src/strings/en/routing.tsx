import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';

// routing-editor.tsx
export const routingRules = 'Routing rules';
export const noRules = 'No rules: a message without a sender is sent from the default number.';
export const numbersThatBeginWith = 'Numbers that begin with';
export const numbersThatBeginWithHint = 'For example +44. Leave empty for all numbers.';
export const weightOf = (name: string) => `Weight of ${name}`;
export const removeRuleNamed = (position: number) => `Remove rule ${formatCount(position)}`;
export const removeRule = 'Remove rule';
export const failoverHint =
  'Only after proof that a message was not sent, and only if the other account has a sender of the same kind and country.';
export const saveRouting = 'Save routing';
export const addRule = 'Add rule';
export const notUsed = 'Not used';
export const rule = (position: number) => `Rule ${formatCount(position)}`;
export const failover = 'Use another account when one is unavailable';

// routing-settings.tsx
export const routing = 'Routing';
export const routingAbout =
  'A message with a sender uses the account of that sender. Rules select the account for all others, by the start of the recipient’s number. The longest match wins.';
export const routingSaved = 'Routing saved.';

// routing-test.tsx
export const testRouting = 'Test the routing';
export const testRoutingAbout =
  'Shows how a message to a number would be sent, with the saved routing and the current state of the accounts. Nothing is sent.';
export const recipient = 'Recipient';
export const showRoute = 'Show route';
export const messageWouldWait =
  'The message would wait: no account can send it now, or none has a sender for it.';
export const noRuleMatchesThisNumber = 'No rule matches this number.';
export const routes = 'Routes';
export const newAccount = 'a new account';
export const ruleForAllDecides = 'The rule for all numbers decides.';
export const ruleDecides = (prefix: string) => `The rule for ${prefix} decides.`;
export const route = ({ percent, account }: Omit<Route, 'from'>) => (
  <>
    {percent} with {account}
  </>
);
export const routeFrom = ({ percent, account, from }: Route) => (
  <>
    {percent} with {account}, from {from}
  </>
);
export const wouldWait = (percent: string) => `${percent} would wait`;

interface Route {
  percent: string;
  account: ReactNode;
  from: string;
}
