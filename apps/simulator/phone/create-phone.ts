import type { PhoneMessage, ServiceNumber } from './carrier.ts';
import { createComposer } from './create-composer.ts';
import { createElement } from './create-element.ts';
import { type MessageItem, createMessageItem } from './create-message-item.ts';
import { createTreatmentForm } from './create-treatment-form.ts';

/** As many as the simulator sends when the page is opened. */
const MAX_MESSAGES = 200;

export interface Phone {
  element: HTMLElement;
  /** Reads the treatment from the carrier. */
  load(): void;
  setNumbers(numbers: ServiceNumber[]): void;
  /** Replaces all messages. */
  setMessages(messages: PhoneMessage[]): void;
  /** Shows a new message, or the new state of one. Returns whether a text has just arrived. */
  put(message: PhoneMessage): boolean;
}

export function createPhone(number: string, remove: () => void): Phone {
  const items = new Map<string, MessageItem>();
  const arrived = new Set<string>();
  const title = createElement('h2', { id: `phone-${number}` }, number);
  const removeButton = createElement('button', { type: 'button' }, 'Remove');
  removeButton.setAttribute('aria-label', `Remove phone ${number}`);
  removeButton.addEventListener('click', remove);
  const error = createElement('p', { className: 'error' });
  error.setAttribute('role', 'alert');
  const showError = (text: string): void => void (error.textContent = text);

  const list = createElement('ol');
  const empty = createElement(
    'p',
    { className: 'empty' },
    `No texts yet. Send one to ${number} from the dashboard.`,
  );
  const log = createElement('div', { className: 'log', tabIndex: 0 }, empty, list);
  log.setAttribute('role', 'log');
  log.setAttribute('aria-label', `Messages of ${number}`);

  const treatment = createTreatmentForm(number, showError);
  const composer = createComposer(number, showError);
  const element = createElement(
    'section',
    { className: 'phone' },
    createElement('div', { className: 'top' }, title, removeButton),
    treatment.element,
    log,
    error,
    composer.element,
  );
  element.setAttribute('aria-labelledby', title.id);

  function add(message: PhoneMessage): void {
    const item = createMessageItem(message);
    items.set(message.sid, item);
    const later = [...items.values()].filter(({ createdAt }) => createdAt > item.createdAt);
    const next = later.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))[0];
    list.insertBefore(item.element, next?.element ?? null);
    for (const [sid, oldest] of items) {
      if (items.size <= MAX_MESSAGES) break;
      items.delete(sid);
      arrived.delete(sid);
      oldest.element.remove();
    }
    empty.hidden = true;
  }

  function put(message: PhoneMessage): boolean {
    const { sid, direction, from, status } = message;
    const item = items.get(sid);
    const isOwnNew = item === undefined && direction === 'inbound';
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
    if (item === undefined) add(message);
    else item.update(message);
    if (isAtEnd || isOwnNew) log.scrollTop = log.scrollHeight;
    if (direction === 'inbound' || status !== 'delivered' || arrived.has(sid)) return false;
    arrived.add(sid);
    if (from !== null) composer.answer(from);
    return true;
  }

  return {
    element,
    load: treatment.load,
    setNumbers: composer.setNumbers,
    setMessages(messages) {
      const known = new Set(messages.map(({ sid }) => sid));
      for (const [sid, item] of items) {
        if (known.has(sid)) continue;
        items.delete(sid);
        arrived.delete(sid);
        item.element.remove();
      }
      for (const message of messages) put(message);
      empty.hidden = items.size > 0;
      log.scrollTop = log.scrollHeight;
    },
    put,
  };
}
