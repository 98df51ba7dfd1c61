import { isPhoneNumber } from '@switchboard/core';
import type { MessageFields } from '@switchboard/smpp';

import { type Notation, type NumberContext, readNumber } from '../numbers/read-number.ts';
import type { SmppSettings } from './credentials.ts';

/** Type of number (section 5.2.5) and numbering plan (section 5.2.6) by the kind of the address. */
const E164 = { ton: 1, npi: 1 };
const SHORT_CODE = { ton: 3, npi: 0 };
const ALPHANUMERIC = { ton: 5, npi: 0 };

/** What a type of number says about the digits. SMSCs give numbers in full under all other types, too. */
const NOTATIONS: Readonly<Record<number, Notation>> = { 1: 'international', 2: 'national' };

/** Formats sender and recipient of a message. The settings of the account take precedence. */
export function formatAddresses(
  { from, to }: { from: string; to: string },
  settings: SmppSettings,
): Pick<
  MessageFields,
  'sourceTon' | 'sourceNpi' | 'source' | 'destinationTon' | 'destinationNpi' | 'destination'
> {
  const source = kindOf(from);
  const destination = kindOf(to);
  return {
    sourceTon: settings.sourceTon ?? source.ton,
    sourceNpi: settings.sourceNpi ?? source.npi,
    source: withoutPlus(from),
    destinationTon: settings.destinationTon ?? destination.ton,
    destinationNpi: settings.destinationNpi ?? destination.npi,
    destination: withoutPlus(to),
  };
}

/** Returns an address of a received PDU in our format; null if it is empty or malformed. */
export function parseAddress(ton: number, address: string, context: NumberContext): string | null {
  if (!/^[^\p{Cc}]{1,20}$/u.test(address)) return null;
  return readNumber(address, { ...context, notation: NOTATIONS[ton] ?? 'unknown' });
}

function kindOf(address: string) {
  if (isPhoneNumber(address)) return E164;
  return /^\d+$/.test(address) ? SHORT_CODE : ALPHANUMERIC;
}

function withoutPlus(address: string): string {
  return address.replace(/^\+/, '');
}
