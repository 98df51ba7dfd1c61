import type { ProviderAccount, RoutingPreview } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as strings from '#strings/routing';
import { useApi } from '../../api/api-context.tsx';
import { formatPhone } from '../../phone/format-phone.ts';
import { PhoneInput } from '../../phone/phone-input.tsx';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { Section } from '../section.tsx';
import { formatShare } from '../../ui/format.ts';
import { nameOf } from './vendors.ts';

/** Shows which accounts would send a new message to a number. */
export function RoutingTest(props: { workspaceId: string; accounts: readonly ProviderAccount[] }) {
  const { workspaceId, accounts } = props;
  const api = useApi();
  const [number, setNumber] = useState('');
  const preview = useMutation({
    mutationFn: (to: string) =>
      api.request('POST /api/ui/workspaces/{workspaceId}/routing/preview', {
        params: { workspaceId },
        body: { to },
      }),
  });
  return (
    <Section title={strings.testRouting} about={strings.testRoutingAbout}>
      <Form
        className="card space-y-4 p-4"
        error={preview.error}
        onSubmit={() => preview.mutate(number)}
      >
        <PhoneInput
          label={strings.recipient}
          name="to"
          value={number}
          onChange={(value) => {
            preview.reset();
            setNumber(value);
          }}
        />
        <FailureNotice error={preview.error} />
        {preview.data !== undefined && <Routes preview={preview.data} accounts={accounts} />}
        <Button type="submit" isBusy={preview.isPending}>
          {strings.showRoute}
        </Button>
      </Form>
    </Section>
  );
}

function Routes(props: { preview: RoutingPreview; accounts: readonly ProviderAccount[] }) {
  const { prefix, routes } = props.preview;
  if (routes.length === 0) {
    return <Notice tone="wait">{strings.messageWouldWait}</Notice>;
  }
  const waiting = 1 - routes.reduce((sum, { share }) => sum + share, 0);
  return (
    <Notice tone="info">
      {prefix === null
        ? strings.noRuleMatchesThisNumber
        : prefix === ''
          ? strings.ruleForAllDecides
          : strings.ruleDecides(prefix)}
      <ul aria-label={strings.routes} className="mt-1 list-disc pl-5">
        {routes.map(({ provider_id, from, share }) => {
          const account = props.accounts.find(({ id }) => id === provider_id);
          return (
            <li key={provider_id}>
              {(from === null ? strings.route : strings.routeFrom)({
                percent: formatShare(share),
                account: <bdi>{account === undefined ? strings.newAccount : nameOf(account)}</bdi>,
                from: formatPhone(from ?? ''),
              })}
            </li>
          );
        })}
        {waiting > 0.005 && <li>{strings.wouldWait(formatShare(waiting))}</li>}
      </ul>
    </Notice>
  );
}
