import type { Me } from '@switchboard/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as strings from '#strings/second-factor';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { ListRow, Section } from '../settings/section.tsx';
import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { ProveButton } from './prove-button.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpFactor } from './set-up-factor.tsx';

/** With fewer unused recovery codes, the user is advised to create new ones. */
const FEW_CODES = 3;

/** Turns the second factor of the user on and off. */
export function FactorSettings({ me }: { me: Me }) {
  const api = useApi();
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.me }),
      client.invalidateQueries({ queryKey: queryKeys.sessions }),
    ]);
  const factor = me.second_factor;

  if (codes !== null) {
    return (
      <Section title={strings.secondFactor} about={strings.about}>
        <div className="card p-4">
          <RecoveryCodes codes={codes} email={me.user.email} onDone={() => setCodes(null)} />
        </div>
      </Section>
    );
  }
  if (factor === null) {
    return (
      <Section title={strings.secondFactor} about={strings.about}>
        <div className="card p-4">
          <SetUpFactor
            onConfirmed={(created) => {
              setCodes(created);
              void refresh();
            }}
          />
        </div>
      </Section>
    );
  }
  const { since, recovery_codes_left: left } = factor;
  return (
    <Section title={strings.secondFactor} about={strings.about}>
      <ul className="card divide-y divide-line">
        <ListRow title={strings.app} about={strings.isOn(<Time at={since} />)}>
          <ProveButton
            label={strings.turnOff}
            title={strings.turnOffQuestion}
            isDanger
            onProven={async (body) => {
              await api.request('DELETE /api/ui/totp', { body });
              await refresh();
            }}
          >
            {strings.turnOffExplained}
          </ProveButton>
        </ListRow>
        <ListRow
          title={strings.recoveryCodes}
          about={strings.codesLeft(left)}
          below={
            left < FEW_CODES && (
              <div className="w-full">
                <Notice tone="wait">{strings.fewCodes}</Notice>
              </div>
            )
          }
        >
          <ProveButton
            label={strings.newCodes}
            title={strings.newCodesQuestion}
            onProven={async (body) => {
              const created = await api.request('POST /api/ui/totp/recovery-codes', { body });
              setCodes(created.recovery_codes);
              void refresh();
            }}
          >
            {strings.newCodesExplained}
          </ProveButton>
        </ListRow>
      </ul>
    </Section>
  );
}
