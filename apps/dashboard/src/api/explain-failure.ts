import { type ErrorCode, SLOW_READ } from '@switchboard/contracts';
import * as strings from '#strings/errors';
import { ApiError, CodeReplacedError, isSlowRead } from './api-error.ts';
import { messageForField } from './field-messages.ts';

/** An error message for the user, and the API parameter that it concerns, or null. */
export interface FieldError {
  field: string | null;
  message: string;
}

const GENERAL: Partial<Record<ErrorCode, string>> = {
  internal_error: strings.serverFailed,
  update_failed: strings.serverFailed,
  send_failed: strings.sendFailed,
  service_unavailable: strings.serverUnavailable,
  provider_not_configured: strings.noProvider,
};

const FIELD_ERRORS: Partial<Record<ErrorCode, FieldError>> = {
  recipient_opted_out: {
    field: 'to',
    message: strings.recipientOptedOut,
  },
  sender_not_configured: {
    field: 'from',
    message: strings.noDefaultNumber,
  },
};

const ALREADY_EXISTS: Readonly<Record<string, string>> = {
  number: strings.numberExists,
  other_numbers: strings.contactNumberExists,
  email: strings.emailExists,
  name: strings.nameExists,
};

/** Translates an error of the API into messages for the user who filled in the form. */
export function explainFailure(error: unknown): FieldError[] {
  if (error == null) return [];
  if (error instanceof CodeReplacedError) return [{ field: null, message: strings.codeReplaced }];
  if (!(error instanceof ApiError)) {
    return [{ field: null, message: strings.unexpectedError }];
  }
  const { code, message } = error;
  if (isSlowRead(error)) {
    return [{ field: null, message: strings.slowRead(message !== SLOW_READ) }];
  }
  if (code === 'unreachable') return [{ field: null, message }];
  const fieldError = FIELD_ERRORS[code];
  if (fieldError !== undefined) return [fieldError];
  const general = GENERAL[code];
  if (general !== undefined) return [{ field: null, message: general }];
  if (code === 'missing_params') {
    return namesIn(message).map((field) => ({ field, message: fieldMessage(field, message) }));
  }
  // The detail has one sentence for each parameter, which begins with the parameter's name.
  return message.split('; `').map((sentence, index) => {
    const text = index === 0 ? sentence : `\`${sentence}`;
    const [field] = namesIn(text);
    if (field === undefined) return { field: null, message: asSentence(text) };
    const media = mediaMessage(text);
    if (media !== null) return { field: null, message: media };
    if (code === 'already_exists')
      return { field, message: ALREADY_EXISTS[field] ?? asSentence(text) };
    if (code === 'forbidden') return { field, message: fieldMessage(field, text) };
    return { field, message: credentialsMessage(text) ?? fieldMessage(field, text) };
  });
}

const fieldMessage = (field: string, sentence: string): string =>
  messageForField(field) ?? asSentence(sentence);

/** Recognizes a wrong password, and well-formed credentials that the provider refused. */
function credentialsMessage(sentence: string): string | null {
  if (sentence.includes('must be the current password')) {
    return messageForField('current_password') ?? null;
  }
  return sentence.includes('refused by the provider') ? strings.credentialsRefused : null;
}

/** Recognizes errors about uploaded files, for which no form has a field. */
function mediaMessage(text: string): string | null {
  if (!text.includes('`media_urls')) return null;
  if (text.includes('of an existing file of this workspace')) {
    return strings.attachmentDeleted;
  }
  return text.includes('must have uploaded files of at most') ? strings.attachmentsTooLarge : null;
}

// `credentials.auth_token` is the field `auth_token` of a form.
const namesIn = (text: string): string[] =>
  [...text.matchAll(/`(?:credentials\.)?([a-z_]+(?:\[\d+\])?)`/g)].flatMap(
    ([, name]) => name ?? [],
  );

/** Removes the API's prefix and the backticks around names. */
function asSentence(text: string): string {
  const plain = text
    .replace(/^Insufficient permissions for the resource: /, '')
    .replaceAll('`', '')
    .replaceAll('_', ' ');
  const sentence = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
