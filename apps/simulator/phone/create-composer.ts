import { PROVIDER_NAMES, type ServiceNumber, describeError, sendFromPhone } from './carrier.ts';
import { createElement, createField } from './create-element.ts';

/** Creates the form that sends texts and pictures from a phone to the numbers of the service. */
export function createComposer(number: string, showError: (text: string) => void) {
  let numbers: ServiceNumber[] = [];
  let preferred: string | null = null;

  const to = createElement('select', { id: `to-${number}` });
  const text = createElement('textarea', { id: `text-${number}`, rows: 2, dir: 'auto' });
  const pictures = createElement('input', {
    id: `pictures-${number}`,
    type: 'file',
    accept: 'image/png,image/jpeg,image/gif,image/webp',
    multiple: true,
  });
  const send = createElement('button', { className: 'primary', disabled: true }, 'Send');
  const stop = createElement('button', { type: 'button', disabled: true }, 'Send STOP');
  const hint = createElement('p', { className: 'hint' });
  const element = createElement(
    'form',
    { className: 'composer', noValidate: true },
    createField('To', to),
    createField('Text', text),
    createField('Pictures', pictures),
    hint,
    createElement('div', { className: 'buttons' }, send, stop),
  );

  const receiver = () => numbers.find((each) => each.number === to.value);

  function showReceiver(): void {
    const found = receiver();
    const limit = found?.max_pictures ?? 0;
    send.disabled = found === undefined;
    stop.disabled = found === undefined;
    pictures.disabled = limit === 0;
    pictures.multiple = limit > 1;
    hint.textContent =
      found === undefined
        ? 'The service has no number that receives texts. Add one in the dashboard, under Settings, Numbers.'
        : limit === 0
          ? `${PROVIDER_NAMES[found.provider]} carries no pictures to the service.`
          : `At most ${limit === 1 ? 'one picture' : `${limit} pictures`}, 1 MB each.`;
  }

  function showNumbers(): void {
    const chosen = numbers.some((each) => each.number === preferred) ? preferred : to.value;
    to.replaceChildren(
      ...numbers.map(({ number: value, provider }) =>
        createElement('option', { value }, `${value} · ${PROVIDER_NAMES[provider]}`),
      ),
    );
    to.disabled = numbers.length === 0;
    if (numbers.some((each) => each.number === chosen)) to.value = chosen ?? '';
    showReceiver();
  }

  async function sendMessage(body: string, files: readonly File[]): Promise<void> {
    const limit = receiver()?.max_pictures ?? 0;
    if (body.trim() === '' && files.length === 0) throw new Error('Write a text or add a picture.');
    if (files.length > limit) throw new Error(`Choose at most ${limit} pictures.`);
    await sendFromPhone({ to: to.value, from: number, body, pictures: files });
  }

  /** The simulator responds when the service has received the message, so other texts do not wait. */
  function run(body: string, files: readonly File[], restore: () => void): void {
    showError('');
    sendMessage(body, files).catch((error: unknown) => {
      restore();
      showError(describeError(error));
    });
  }

  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const body = text.value;
    const files = pictures.disabled ? [] : [...(pictures.files ?? [])];
    text.value = '';
    run(body, files, () => {
      if (text.value === '') text.value = body;
    });
    pictures.value = '';
  });
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!send.disabled) element.requestSubmit();
  });
  stop.addEventListener('click', () => run('STOP', [], () => undefined));
  to.addEventListener('change', () => {
    preferred = to.value;
    showReceiver();
  });

  return {
    element,
    setNumbers(given: ServiceNumber[]): void {
      numbers = given.filter(({ receives }) => receives);
      showNumbers();
    },
    /** Chooses the number that sent the last message. */
    answer(from: string): void {
      if (preferred === from) return;
      preferred = from;
      showNumbers();
    },
  };
}
