import * as actions from '#strings/actions';

import * as strings from '#strings/numbers';
import { explainFailure } from '../../api/explain-failure.ts';
import { formatPhone } from '../../phone/format-phone.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Imported } from './use-import-numbers.ts';

/** Shows which numbers an import has added, and which it could not add. */
export function ImportResult(props: { results: readonly Imported[]; onClose(): void }) {
  const { results } = props;
  const added = results.flatMap((result) => result.added ?? []);
  const withoutInbound = added.filter((number) => !number.inbound_wired);
  const failed = results.filter((result) => result.added === null);
  return (
    <div className="space-y-4">
      {added.length > 0 && (
        <Notice tone="good">
          {(withoutInbound.length === 0 ? strings.importedForBoth : strings.imported)(added.length)}
        </Notice>
      )}
      {withoutInbound.length > 0 && (
        <Notice tone="wait">
          {strings.importedWithoutInbound(
            withoutInbound.map(({ number }) => formatPhone(number)).join(', '),
          )}
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice tone="bad">
          {strings.notImported(failed.length)}
          <ul className="mt-1 list-disc pl-5">
            {failed.map(({ number, error }) => (
              <li key={number}>
                {formatPhone(number)}:{' '}
                {explainFailure(error)
                  .map(({ message }) => message)
                  .join(' ')}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Button kind="primary" onClick={props.onClose}>
        {actions.done}
      </Button>
    </div>
  );
}
