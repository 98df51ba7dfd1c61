import { type PhoneMessage, PROVIDER_NAMES, mediaUrl } from './carrier.ts';
import { createElement } from './create-element.ts';

export interface MessageItem {
  element: HTMLLIElement;
  createdAt: string;
  /** Shows the new state. The text and the pictures of a message do not change. */
  update(message: PhoneMessage): void;
}

/** Creates the bubble of a message. */
export function createMessageItem(message: PhoneMessage): MessageItem {
  const { sid, body, num_media: count, created_at: createdAt } = message;
  const isOwn = message.direction === 'inbound';
  const about = createElement('p', { className: 'about' });
  const state = createElement('p', { className: 'state' });
  const element = createElement(
    'li',
    { className: isOwn ? 'own' : 'other' },
    ...(body === '' ? [] : [createElement('p', { className: 'text', dir: 'auto' }, body)]),
    ...(count === 0
      ? []
      : [createElement('div', { className: 'pictures' }, ...createPictures(sid, count))]),
    about,
    state,
  );

  function update(changed: PhoneMessage): void {
    const { from, to, provider } = changed;
    const other = isOwn ? `To ${to}` : `From ${from ?? 'an unknown number'}`;
    setText(about, `${other} · ${PROVIDER_NAMES[provider]} · ${formatTime(createdAt)}`);
    setText(state, [describeState(changed), describeSize(changed)].join(' · '));
    const { delivery, status } = changed;
    element.dataset['state'] = delivery ?? status;
  }
  update(message);
  return { element, createdAt, update };
}

/** A screen reader reads a changed node again. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function createPictures(sid: string, count: number): HTMLElement[] {
  return Array.from({ length: count }, (_picture, index) => {
    const src = mediaUrl(sid, index);
    const name = `Picture ${index + 1} of ${count}`;
    const link = createElement('a', { href: src, target: '_blank', rel: 'noreferrer' });
    const image = createElement('img', { src, alt: name, loading: 'lazy' });
    image.addEventListener('error', () => link.replaceChildren(`${name} cannot be shown`));
    link.append(image);
    return link;
  });
}

function describeState(message: PhoneMessage): string {
  const { status, treatment, error_code: code, error_message: reason } = message;
  switch (message.delivery) {
    case 'sending':
      return 'Sending';
    case 'delivered':
      return 'Received by the service';
    case 'failed':
      return 'Not received by the service';
    case null:
  }
  switch (status) {
    case 'delivered':
      return treatment === 'receipt_lost' ? 'Delivered, receipt lost' : 'Delivered';
    case 'undelivered':
    case 'failed':
      return `Not delivered: ${code ?? ''} ${reason ?? 'Unknown error'}`;
    case 'canceled':
      return 'Canceled by the sender';
    default:
      return `On its way (${status})`;
  }
}

function describeSize({ encoding, segments }: PhoneMessage): string {
  if (encoding === null) return 'MMS';
  return `${encoding}, ${segments} ${segments === 1 ? 'segment' : 'segments'}`;
}

function formatTime(at: string): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString();
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? time : `${date.toLocaleDateString()} ${time}`;
}
