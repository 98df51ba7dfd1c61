import type { ProviderAccount } from '@switchboard/contracts';

type OnUnknown = ProviderAccount['on_unknown'];

/** Chooses what happens to a message whose outcome stays unknown. */
export function UnknownOutcomeField(props: {
  current: OnUnknown | undefined;
  /** The provider offers no way to check. */
  isWithoutEvidence?: true;
}) {
  const { isWithoutEvidence = false } = props;
  const current = props.current ?? (isWithoutEvidence ? 'fail' : 'resend');
  const choices: readonly (readonly [OnUnknown, string])[] = isWithoutEvidence
    ? [
        ['fail', 'Mark it as failed: nothing is sent twice'],
        ['resend', 'Send it once more: the recipient may receive it twice'],
      ]
    : [
        ['resend', 'Check with the provider, then send it once more'],
        ['fail', 'Mark it as failed, for example for one-time codes'],
      ];
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-soft">
        If the provider can’t confirm whether a message was sent
      </legend>
      <div className="space-y-1.5">
        {choices.map(([value, label]) => (
          <label key={value} className="flex items-center gap-2">
            <input
              type="radio"
              name="on_unknown"
              value={value}
              defaultChecked={current === value}
              className="accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
