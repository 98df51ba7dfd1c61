import type { CreatedApiKey } from '@switchboard/contracts';
import * as strings from '#strings/api-keys';
import { useShowOnce } from '../../ui/once-shown.tsx';
import { KeyExample } from './key-example.tsx';

/** Returns a function that shows a new secret of a key, once. */
export function useShowKey(): (created: CreatedApiKey) => void {
  const showOnce = useShowOnce();
  return ({ name, key, scopes }) =>
    showOnce({
      kind: 'key',
      title: strings.key(name),
      warning: strings.copyKeyNow,
      value: key,
      copyLabel: strings.copyKey,
      below: <KeyExample scopes={scopes} value={key} />,
    });
}
