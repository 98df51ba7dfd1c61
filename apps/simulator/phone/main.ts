import {
  type PhoneMessage,
  type ServiceNumber,
  describeError,
  listNumbers,
  parseNumber,
} from './carrier.ts';
import { type Phone, createPhone } from './create-phone.ts';
import { openStream } from './open-stream.ts';
import { MAX_PHONES, readPhones, storePhones, suggestNumber } from './stored-phones.ts';

const phones = new Map<string, Phone>();
/** Null until they are read. */
let numbers: ServiceNumber[] | null = null;
let unread = 0;
let closeStream = (): void => undefined;

const main = find('phones', HTMLElement);
const form = find('add', HTMLFormElement);
const input = find('number', HTMLInputElement);
const error = find('add-error', HTMLElement);
const connection = find('connection', HTMLElement);

function find<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no element ${id}`);
  return element;
}

const phoneOf = ({ direction, from, to }: PhoneMessage) =>
  phones.get((direction === 'inbound' ? from : to) ?? '');

/** The numbers of the service change in the dashboard. */
async function readNumbers(): Promise<void> {
  numbers = await listNumbers();
  for (const phone of phones.values()) phone.setNumbers(numbers);
}

function refreshNumbers(): void {
  readNumbers().catch((cause: unknown) => void (error.textContent = describeError(cause)));
}

function showMessage(message: PhoneMessage): void {
  const hasArrived = phoneOf(message)?.put(message) === true;
  const isKnown = numbers?.some(({ number }) => number === message.from) === true;
  if (message.direction !== 'inbound' && !isKnown) refreshNumbers();
  if (hasArrived && document.hidden) showUnread(unread + 1);
}

function showUnread(count: number): void {
  unread = count;
  document.title = count === 0 ? 'Phones' : `(${count}) Phones`;
}

function connect(): void {
  closeStream();
  closeStream = () => undefined;
  if (phones.size === 0) {
    connection.textContent = '';
    return;
  }
  closeStream = openStream([...phones.keys()], {
    onMessages(messages) {
      for (const phone of phones.values()) {
        phone.setMessages(messages.filter((each) => phoneOf(each) === phone));
        phone.load();
      }
      refreshNumbers();
    },
    onMessage: showMessage,
    onConnection(isLive) {
      connection.dataset['live'] = String(isLive);
      const text = isLive ? 'Live' : 'No connection to the simulator. Reconnecting…';
      if (connection.textContent !== text) connection.textContent = text;
    },
  });
}

function add(number: string): void {
  const phone = createPhone(number, () => {
    phones.delete(number);
    phone.element.remove();
    applyChange();
    input.focus();
  });
  phones.set(number, phone);
  main.append(phone.element);
  if (numbers !== null) phone.setNumbers(numbers);
}

function applyChange(): void {
  const taken = [...phones.keys()];
  storePhones(taken);
  input.value = suggestNumber(taken);
  connect();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const number = parseNumber(input.value);
  error.textContent =
    number === null
      ? 'Enter one phone number with its country code, for example +15558675310.'
      : phones.has(number)
        ? `${number} is already on this page.`
        : phones.size >= MAX_PHONES
          ? `A page has at most ${MAX_PHONES} phones. Remove one, or open another page.`
          : '';
  if (number === null || error.textContent !== '') return;
  add(number);
  applyChange();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) showUnread(0);
});
window.addEventListener('focus', refreshNumbers);

for (const number of readPhones()) add(number);
applyChange();
