import type { PhoneNumber, ProviderNumber } from '@switchboard/contracts';
import type { Api } from '../../api/create-api.ts';
import { useSettingsChange } from '../use-settings.ts';

/** The result for one number of an import. */
export interface Imported {
  number: string;
  /** Null if the number was not added. */
  added: PhoneNumber | null;
  error: unknown;
}

/** Adds numbers of a provider account, one after the other, in the order of the list. */
export function useImportNumbers(workspaceId: string, providerId: string) {
  return useSettingsChange(workspaceId, async (api: Api, chosen: readonly ProviderNumber[]) => {
    const results: Imported[] = [];
    for (const { number, kind, label, capabilities } of chosen) {
      const body = {
        number,
        kind,
        label: label.slice(0, 100),
        capabilities,
        provider_id: providerId,
      };
      try {
        const added = await api.request('POST /api/ui/workspaces/{workspaceId}/numbers', {
          params: { workspaceId },
          body,
        });
        results.push({ number, added, error: null });
      } catch (error) {
        results.push({ number, added: null, error });
      }
    }
    return results;
  });
}
