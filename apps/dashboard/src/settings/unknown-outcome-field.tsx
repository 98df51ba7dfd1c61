import type { ProviderAccount } from '@switchboard/contracts';

const CHOICES = [
  ['resend', 'Check with the provider, then send it once more'],
  ['fail', 'Mark it as failed, for example for one-time codes'],
] as const;

/** Chooses what happens to a message whose outcome stays unknown. */
export function UnknownOutcomeField(props: { current: ProviderAccount['on_unknown'] | undefined }) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-soft">
        If the provider can’t confirm whether a message was sent
      </legend>
      <div className="space-y-1.5">
        {CHOICES.map(([value, label]) => (
          <label key={value} className="flex items-center gap-2">
            <input
              type="radio"
              name="on_unknown"
              value={value}
              defaultChecked={(props.current ?? 'resend') === value}
              className="accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
