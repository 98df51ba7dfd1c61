import { isPhoneNumber } from '@switchboard/core';
import type { MessageFields } from '@switchboard/smpp';

import type { SmppSettings } from './credentials.ts';

/** Type of number (section 5.2.5) and numbering plan (section 5.2.6) by the kind of the address. */
const E164 = { ton: 1, npi: 1 };
const SHORT_CODE = { ton: 3, npi: 0 };
const ALPHANUMERIC = { ton: 5, npi: 0 };

const UNKNOWN_TON = 0;
const INTERNATIONAL_TON = 1;

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
export function parseAddress(ton: number, address: string): string | null {
  if (!/^[^\p{Cc}]{1,20}$/u.test(address)) return null;
  const number = `+${withoutPlus(address)}`;
  // Many SMSCs leave the type unknown. Shorter texts of digits are short codes.
  const mayBeNumber = ton === INTERNATIONAL_TON || ton === UNKNOWN_TON;
  return mayBeNumber && isPhoneNumber(number) ? number : address;
}

function kindOf(address: string) {
  if (isPhoneNumber(address)) return E164;
  return /^\d+$/.test(address) ? SHORT_CODE : ALPHANUMERIC;
}

function withoutPlus(address: string): string {
  return address.replace(/^\+/, '');
}
