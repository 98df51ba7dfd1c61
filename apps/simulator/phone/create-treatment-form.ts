import { type TreatmentName, describeError, readPhone, setTreatment } from './carrier.ts';
import { createElement, createField } from './create-element.ts';

const NAMES: Record<TreatmentName, string> = {
  delivered: 'Delivers texts',
  undelivered: 'Does not deliver texts',
  slow: 'Delivers after 10 seconds',
  receipt_lost: 'Delivers, loses the receipt',
};

/** Creates the choice of how the carrier treats the next texts to a phone. */
export function createTreatmentForm(number: string, showError: (text: string) => void) {
  const treatment = createElement(
    'select',
    { id: `treatment-${number}`, disabled: true },
    ...Object.entries(NAMES).map(([value, name]) => createElement('option', { value }, name)),
  );
  const reason = createElement('select', { id: `reason-${number}` });
  const reasonField = createField('Reason', reason);
  reasonField.hidden = true;

  async function load(): Promise<void> {
    const phone = await readPhone(number);
    reason.replaceChildren(
      ...phone.reasons.map(({ error_code: code, error_message: name }) =>
        createElement('option', { value: String(code) }, `${code} ${name}`),
      ),
    );
    treatment.value = phone.treatment;
    if (phone.error_code !== null) reason.value = String(phone.error_code);
    reasonField.hidden = phone.treatment !== 'undelivered';
    treatment.disabled = false;
  }

  async function save(): Promise<void> {
    const chosen = treatment.value as TreatmentName;
    const isUndelivered = chosen === 'undelivered';
    reasonField.hidden = !isUndelivered;
    const errorCode = isUndelivered ? Number(reason.value) : null;
    try {
      await setTreatment(number, { treatment: chosen, error_code: errorCode });
      showError('');
    } catch (error) {
      await load();
      throw error;
    }
  }

  function run(work: () => Promise<void>): void {
    work().catch((error: unknown) => showError(describeError(error)));
  }
  for (const select of [treatment, reason]) select.addEventListener('change', () => run(save));

  return {
    element: createElement(
      'div',
      { className: 'treatment' },
      createField('Carrier', treatment),
      reasonField,
    ),
    /** Reads the treatment from the carrier. */
    load: (): void => run(load),
  };
}
