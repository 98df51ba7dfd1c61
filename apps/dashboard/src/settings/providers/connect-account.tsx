import { FORMS, type VendorType } from '@switchboard/providers/forms';
import { useState } from 'react';
import * as names from '#strings/names';
import * as strings from '#strings/providers';
import { Button } from '../../ui/button.tsx';
import { Section } from '../section.tsx';
import type { SectionProps } from '../sections.ts';
import { useSettingsChange } from '../use-settings.ts';
import { type AccountInput, AccountForm } from './account-form.tsx';
import { type Connected, ConnectedAccount } from './connected-account.tsx';

/** The pressed button no longer exists, and on narrow screens the form begins below the visible area. */
const focus = (form: HTMLElement | null): void => form?.focus();

/**
 * Connects a provider account in steps: choose the vendor, copy the credentials from its console,
 * verify them, enter the webhook URLs there, and add numbers.
 */
export function ConnectAccount(props: SectionProps & { isFirst: boolean }) {
  const { workspaceId, isFirst } = props;
  const [type, setType] = useState<VendorType | null>(null);
  const connect = useSettingsChange(
    workspaceId,
    async (
      api,
      { credentials = {}, ...input }: AccountInput & { type: VendorType },
    ): Promise<Connected> => {
      const account = await api.request('POST /api/ui/workspaces/{workspaceId}/providers', {
        params: { workspaceId },
        body: { ...input, credentials },
        // Credentials that the provider refuses are not stored.
        headers: { prefer: 'handling=strict' },
      });
      const check = await api.request(
        'POST /api/ui/workspaces/{workspaceId}/providers/{providerId}/verify',
        { params: { workspaceId, providerId: account.id } },
      );
      return { account, check };
    },
  );
  return (
    <Section
      title={isFirst ? names.connectProvider : strings.addAnAccount}
      about={isFirst ? strings.connectFirstAbout : strings.connectAnotherAbout}
    >
      <div
        key={type}
        ref={type === null ? null : focus}
        tabIndex={-1}
        className="card space-y-4 p-4 outline-none"
      >
        {connect.data !== undefined ? (
          <ConnectedAccount
            workspaceId={workspaceId}
            connected={connect.data}
            onDone={() => connect.reset()}
          />
        ) : type === null ? (
          <div className="flex flex-wrap gap-2">
            {(Object.keys(FORMS) as VendorType[]).map((each) => (
              <Button key={each} onClick={() => setType(each)}>
                {FORMS[each].name}
              </Button>
            ))}
          </div>
        ) : (
          <AccountForm
            key={type}
            vendor={FORMS[type]}
            current={null}
            error={connect.error}
            isPending={connect.isPending}
            submitLabel={strings.connect(FORMS[type].name)}
            pendingLabel={strings.verifying}
            onSubmit={(input) =>
              connect.mutate({ ...input, type }, { onSuccess: () => setType(null) })
            }
            onCancel={() => {
              connect.reset();
              setType(null);
            }}
          />
        )}
      </div>
    </Section>
  );
}
