import type { ErrorCode } from '@switchboard/contracts';
import { ApiError } from './api-error.ts';
import { wordsOfField } from './field-words.ts';

/** What is wrong, in words for people, and the form field it belongs to, by its API name. */
export interface Fault {
  field: string | null;
  words: string;
}

const GENERAL: Partial<Record<ErrorCode, string>> = {
  internal_error: 'Something went wrong on the server. Try again.',
  update_failed: 'Something went wrong on the server. Try again.',
  send_failed:
    'Something went wrong, and the message may have been accepted. Send it again unchanged: it is not sent twice.',
  service_unavailable: 'The service is not available. Nothing was stored. Try again in a moment.',
  provider_not_configured:
    'This workspace has no provider. An owner can connect one under Settings, Provider.',
};

const OF_FIELD: Partial<Record<ErrorCode, Fault>> = {
  recipient_opted_out: {
    field: 'to',
    words: 'This number has opted out: it sent STOP. It can opt in again by sending START.',
  },
  sender_not_configured: {
    field: 'from',
    words: 'Choose a number: this workspace has no default number.',
  },
};

const TAKEN: Readonly<Record<string, string>> = {
  number: 'This number is in the list already.',
  email: 'This email address is in use already.',
};

/** A refusal of the service, told as the person who filled in the form can use it. */
export function explainFailure(error: unknown): Fault[] {
  if (error == null) return [];
  if (!(error instanceof ApiError)) {
    return [{ field: null, words: 'Something unexpected happened in this page. Reload it.' }];
  }
  const { code, message } = error;
  if (code === 'unreachable') return [{ field: null, words: message }];
  const ofField = OF_FIELD[code];
  if (ofField !== undefined) return [ofField];
  const general = GENERAL[code];
  if (general !== undefined) return [{ field: null, words: general }];
  if (code === 'missing_params') {
    return namesIn(message).map((field) => ({ field, words: fieldWords(field, message) }));
  }
  // One sentence a parameter, each beginning with its name.
  return message.split('; `').map((sentence, index) => {
    const text = index === 0 ? sentence : `\`${sentence}`;
    const [field] = namesIn(text);
    if (field === undefined) return { field: null, words: asSentence(text) };
    if (code === 'already_exists') return { field, words: TAKEN[field] ?? asSentence(text) };
    if (code === 'forbidden') return { field, words: fieldWords(field, text) };
    return { field, words: refusalWords(text) ?? fieldWords(field, text) };
  });
}

const fieldWords = (field: string, sentence: string): string =>
  wordsOfField(field) ?? asSentence(sentence);

/** The provider has looked at what was well formed. */
function refusalWords(sentence: string): string | null {
  return sentence.includes('refused by the provider')
    ? 'The provider does not accept this account SID with this auth token. Copy both again from its console.'
    : null;
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([a-z_]+(?:\[\d+\])?)`/g)].flatMap(([, name]) => name ?? []);

/** Without the marks that set off names, and without what the API begins every refusal with. */
function asSentence(text: string): string {
  const words = text
    .replace(/^Insufficient permissions for the resource: /, '')
    .replaceAll('`', '')
    .replaceAll('_', ' ');
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
