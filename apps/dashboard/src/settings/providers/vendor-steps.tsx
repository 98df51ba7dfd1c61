import type { VendorForm } from '@switchboard/providers/forms';
import * as strings from '#strings/providers';

import { ArrowUpRight } from '../../ui/icons.ts';

/** The steps in the provider's console before the credentials can be entered. */
export function VendorSteps({ vendor }: { vendor: VendorForm }) {
  const { name, about, steps = [], consoleUrl } = vendor;
  return (
    <div className="space-y-2 text-soft">
      <h3 className="font-semibold text-ink">{name}</h3>
      <p>{about}</p>
      {steps.length > 0 && (
        <ol aria-label={strings.stepsInConsole(name)} className="list-decimal space-y-1 pl-5">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {consoleUrl !== undefined && (
        <a
          href={consoleUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1.5 font-medium text-accent underline-offset-2 hover:underline"
        >
          {strings.openConsoleOf(name)}
          <ArrowUpRight size={14} aria-hidden />
        </a>
      )}
    </div>
  );
}
