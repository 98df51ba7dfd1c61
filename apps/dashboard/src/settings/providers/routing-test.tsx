import type { ProviderAccount, RoutingPreview } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { formatPhone } from '../../phone/format-phone.ts';
import { PhoneInput } from '../../phone/phone-input.tsx';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { Section } from '../section.tsx';
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
    <Section
      title="Where would this number go?"
      about="Tests the saved routing with the current state of the accounts. Nothing is sent."
    >
      <Form
        className="card space-y-4 p-4"
        error={preview.error}
        onSubmit={() => preview.mutate(number)}
      >
        <PhoneInput
          label="Recipient"
          name="to"
          value={number}
          onChange={(value) => {
            preview.reset();
            setNumber(value);
          }}
        />
        <FailureNotice error={preview.error} />
        {preview.data !== undefined && <Routes preview={preview.data} accounts={accounts} />}
        <Button type="submit" disabled={preview.isPending}>
          Show the route
        </Button>
      </Form>
    </Section>
  );
}

function Routes(props: { preview: RoutingPreview; accounts: readonly ProviderAccount[] }) {
  const { prefix, routes } = props.preview;
  if (routes.length === 0) {
    return (
      <Notice tone="wait">
        The message would wait: no account can send it now, or none has a sender for it.
      </Notice>
    );
  }
  const waiting = 1 - routes.reduce((sum, { share }) => sum + share, 0);
  return (
    <Notice tone="info">
      {prefix === null
        ? 'No rule matches this number.'
        : `The rule for ${prefix === '' ? 'all numbers' : prefix} decides.`}
      <ul aria-label="Routes" className="mt-1 list-disc pl-5">
        {routes.map(({ provider_id, from, share }) => {
          const account = props.accounts.find(({ id }) => id === provider_id);
          return (
            <li key={provider_id}>
              {Math.round(share * 100)} % with{' '}
              <bdi>{account === undefined ? 'a new account' : nameOf(account)}</bdi>
              {from === null ? '' : `, from ${formatPhone(from)}`}
            </li>
          );
        })}
        {waiting > 0.005 && <li>{Math.round(waiting * 100)} % would wait</li>}
      </ul>
    </Notice>
  );
}
