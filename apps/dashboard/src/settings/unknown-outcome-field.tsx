import type { ProviderAccount } from '@switchboard/contracts';
import * as strings from '#strings/providers';

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
        ['fail', strings.failNothingTwice],
        ['resend', strings.resendMaybeTwice],
      ]
    : [
        ['resend', strings.checkThenResend],
        ['fail', strings.failForCodes],
      ];
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-soft">{strings.ifUnconfirmed}</legend>
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
