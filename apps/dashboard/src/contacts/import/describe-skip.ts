import { CONTACT_LIMITS } from '@switchboard/contracts';
import * as strings from '#strings/contact-import';
import type { SkipReason } from './plan/skip-reason.ts';

const SHOWN_CHARACTERS = 30;

/** Explains to the person why a row is not imported. */
export function describeSkip(reason: SkipReason): string {
  switch (reason.kind) {
    case 'openQuote':
      return strings.openQuote;
    case 'nearOpenQuote':
      return strings.nearOpenQuote(reason.quoteRow);
    case 'moreCells':
      return strings.moreCells(reason);
    case 'numberMissing':
      return strings.numberMissing;
    case 'notNumber':
      return strings.notNumber(shorten(reason.text));
    case 'ambiguousNumber':
      return strings.severalNumbers(shorten(reason.text));
    case 'otherNotNumber':
      return strings.otherNumberInvalid(shorten(reason.text));
    case 'sameNumber':
      return strings.sameNumberAsRow(reason.earlierRow);
    case 'nameHasLines':
      return strings.nameHasLines;
    case 'nameHasQuote':
      return strings.nameHasQuote;
    case 'nameTooLong':
      return strings.nameTooLong(CONTACT_LIMITS.nameCharacters);
    case 'controlCharacter':
      return strings.controlCharacter;
    case 'wrongEncoding':
      return strings.wrongEncoding;
    case 'tooManyNumbers':
      return strings.tooManyNumbers(CONTACT_LIMITS.otherNumbers);
    case 'tooManyTags':
      return strings.tooManyTags(CONTACT_LIMITS.tags);
    case 'tooManyFields':
      return strings.tooManyFields(CONTACT_LIMITS.fields);
    case 'tagTooLong':
      return strings.tagTooLong(CONTACT_LIMITS.tagCharacters);
    case 'fieldTooLong':
      return strings.fieldTooLong(shorten(reason.field));
  }
}

const shorten = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1).toWellFormed()}…` : text;
