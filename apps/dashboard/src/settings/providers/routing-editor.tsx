import type { ProviderAccount, Routing } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/routing';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { formatShare } from '../../ui/format.ts';
import { nameOf } from './vendors.ts';

interface Rule {
  key: number;
  prefix: string;
  /** By account. Empty if the rule does not use the account. */
  weights: Readonly<Record<string, string>>;
}

/** Edits the routing rules: one weight for each account. */
export function RoutingEditor(props: {
  current: Routing;
  accounts: readonly ProviderAccount[];
  isOwner: boolean;
  error: unknown;
  isPending: boolean;
  onSave(routing: Routing): void;
}) {
  const { current, accounts, isOwner, error, isPending } = props;
  const [rules, setRules] = useState(() => current.rules.map(toRule));
  const [nextKey, setNextKey] = useState(rules.length);
  const [failover, setFailover] = useState(current.failover);
  const change = (key: number, fields: Partial<Rule>) =>
    setRules(rules.map((rule) => (rule.key === key ? { ...rule, ...fields } : rule)));

  return (
    <Form
      className="card space-y-4 p-4"
      error={error}
      onSubmit={() => props.onSave({ rules: rules.map(fromRule), failover })}
    >
      <fieldset disabled={!isOwner} className="space-y-4">
        <legend className="sr-only">{strings.routingRules}</legend>
        {rules.length === 0 && <p className="text-soft">{strings.noRules}</p>}
        {rules.map((rule, index) => (
          <fieldset key={rule.key} className="rounded-lg border border-line p-3">
            <legend className="px-1 font-medium text-soft">{strings.rule(index + 1)}</legend>
            <div className="space-y-3">
              <Field
                label={strings.numbersThatBeginWith}
                name={`prefix[${rule.key}]`}
                hint={strings.numbersThatBeginWithHint}
              >
                {(control) => (
                  <input
                    {...control}
                    inputMode="tel"
                    pattern="\+[0-9]{1,15}"
                    className="field max-w-56 tabular-nums"
                    value={rule.prefix}
                    onChange={({ target }) => change(rule.key, { prefix: target.value.trim() })}
                  />
                )}
              </Field>
              <div className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-3">
                {accounts.map((account, place) => (
                  <Field
                    key={account.id}
                    label={strings.weightOf(nameOf(account))}
                    name={`weight[${rule.key * accounts.length + place}]`}
                    hint={describeShare(rule, account.id)}
                  >
                    {(control) => (
                      <input
                        {...control}
                        type="number"
                        min={1}
                        max={1_000}
                        required={place === 0 && !hasWeight(rule)}
                        className="field tabular-nums"
                        value={rule.weights[account.id] ?? ''}
                        onChange={({ target }) =>
                          change(rule.key, {
                            weights: { ...rule.weights, [account.id]: target.value },
                          })
                        }
                      />
                    )}
                  </Field>
                ))}
              </div>
            </div>
            {isOwner && (
              <Button
                kind="dangerQuiet"
                size="small"
                className="mt-2 -ml-2.5"
                aria-label={strings.removeRuleNamed(index + 1)}
                onClick={() => setRules(rules.filter(({ key }) => key !== rule.key))}
              >
                {strings.removeRule}
              </Button>
            )}
          </fieldset>
        ))}
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-1 accent-accent"
            checked={failover}
            onChange={({ target }) => setFailover(target.checked)}
          />
          <span>
            {strings.failover}
            <span className="block text-[0.8125rem] text-faint">{strings.failoverHint}</span>
          </span>
        </label>
      </fieldset>
      <FailureNotice error={error} />
      {isOwner && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" disabled={isPending}>
            {isPending ? actions.saving : strings.saveRouting}
          </Button>
          <Button
            onClick={() => {
              setRules([...rules, { key: nextKey, prefix: '', weights: {} }]);
              setNextKey(nextKey + 1);
            }}
          >
            {strings.addRule}
          </Button>
        </div>
      )}
    </Form>
  );
}

function toRule({ prefix, providers }: Routing['rules'][number], key: number): Rule {
  const weights = providers.map(({ provider_id, weight }) => [provider_id, String(weight)]);
  return { key, prefix, weights: Object.fromEntries(weights) as Rule['weights'] };
}

function hasWeight({ weights }: Rule): boolean {
  return Object.values(weights).some((weight) => weight !== '');
}

/** An account's share of a rule's messages. */
function describeShare({ weights }: Rule, accountId: string): string {
  const parts = Object.entries(weights).map(([id, weight]) => [id, Number(weight)] as const);
  const total = parts.reduce((sum, [, weight]) => sum + weight, 0);
  const own = parts.find(([id]) => id === accountId)?.[1] ?? 0;
  return own > 0 && total > 0 ? formatShare(own / total) : strings.notUsed;
}

function fromRule({ prefix, weights }: Rule): Routing['rules'][number] {
  const providers = Object.entries(weights)
    .filter(([, weight]) => weight !== '')
    .map(([provider_id, weight]) => ({ provider_id, weight: Number(weight) }));
  return { prefix, providers };
}
