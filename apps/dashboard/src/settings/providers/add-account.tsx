import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../section.tsx';
import type { SectionProps } from '../sections.ts';
import { useSettingsChange } from '../use-settings.ts';
import { type AccountInput, AccountForm } from './account-form.tsx';
import { VENDORS, VENDOR_TYPES, type VendorType } from './vendors.ts';

/** Adds a provider account of any vendor, and verifies it. */
export function AddAccount(props: SectionProps & { isFirst?: boolean }) {
  const { workspaceId, isFirst = false } = props;
  const [type, setType] = useState<VendorType | null>(null);
  const add = useSettingsChange(
    workspaceId,
    async (api, { credentials = {}, ...input }: AccountInput & { type: VendorType }) => {
      const { id: providerId } = await api.request(
        'POST /api/ui/workspaces/{workspaceId}/providers',
        { params: { workspaceId }, body: { ...input, credentials } },
      );
      return api.request('POST /api/ui/workspaces/{workspaceId}/providers/{providerId}/verify', {
        params: { workspaceId, providerId },
      });
    },
  );
  return (
    <Section
      title={isFirst ? 'Another vendor' : 'Add an account'}
      about={
        isFirst
          ? undefined
          : 'With a second account, messages can be sent while the first one is not available.'
      }
    >
      <div className="card space-y-4 p-4">
        {type === null ? (
          <>
            {add.data !== undefined && (
              <Notice tone={add.data.ok ? 'good' : 'bad'}>
                The account is added. {add.data.detail}
              </Notice>
            )}
            <div className="flex flex-wrap gap-2">
              {VENDOR_TYPES.filter((each) => !isFirst || each !== 'twilio').map((each) => (
                <Button
                  key={each}
                  onClick={() => {
                    add.reset();
                    setType(each);
                  }}
                >
                  {VENDORS[each].name}
                </Button>
              ))}
            </div>
          </>
        ) : (
          <AccountForm
            key={type}
            vendor={VENDORS[type]}
            current={null}
            error={add.error}
            isPending={add.isPending}
            submitLabel="Add account"
            onSubmit={(input) => add.mutate({ ...input, type }, { onSuccess: () => setType(null) })}
            onCancel={() => setType(null)}
          />
        )}
      </div>
    </Section>
  );
}
