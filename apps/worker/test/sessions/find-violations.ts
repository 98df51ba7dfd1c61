import type { Pdu } from 'smpp';

/** A short message is 140 octets long: TS 23.040. */
const OCTETS = 140;
const MAX_SEQUENCE_NUMBER = 0x7f_ff_ff_ff;
const ESCAPED = /[\f^{}\\[~\]|€]/gu;

/** Sizes of C-octet strings, without their NUL: SMPP 3.4, 4.1.1 and 4.4.1. */
const MAX_LENGTHS = {
  system_id: 15,
  password: 8,
  system_type: 12,
  address_range: 40,
  service_type: 5,
  source_addr: 20,
  destination_addr: 20,
} as const;

const TONS = [0, 1, 2, 3, 4, 5, 6];
const NPIS = [0, 1, 3, 4, 6, 8, 9, 10, 14, 18];

/** Lists what the specification of SMPP 3.4 does not permit in a request of an ESME. */
export function findViolations(pdu: Pdu, lastSequenceNumber: number): string[] {
  const found: string[] = [];
  const check = (isRight: boolean, what: string): void => {
    if (!isRight) found.push(`${pdu.command}: ${what}`);
  };
  check(pdu.command_status === 0, 'command_status of a request');
  check(
    pdu.sequence_number > lastSequenceNumber && pdu.sequence_number <= MAX_SEQUENCE_NUMBER,
    `sequence_number ${pdu.sequence_number} after ${lastSequenceNumber}`,
  );
  for (const [name, length] of Object.entries(MAX_LENGTHS)) {
    const value = pdu[name as keyof typeof MAX_LENGTHS] ?? '';
    check(value.length <= length, `${name} is longer than ${length}`);
  }
  if (pdu.command.startsWith('bind')) check(pdu.interface_version === 0x34, 'interface_version');
  if (pdu.command !== 'submit_sm') return found;
  const { source_addr_ton = 0, source_addr_npi = 0, dest_addr_ton = 0, dest_addr_npi = 0 } = pdu;
  for (const ton of [source_addr_ton, dest_addr_ton]) check(TONS.includes(ton), `ton ${ton}`);
  for (const npi of [source_addr_npi, dest_addr_npi]) check(NPIS.includes(npi), `npi ${npi}`);
  check(/^\d+$/u.test(pdu.destination_addr ?? ''), 'destination_addr is not digits');
  const { udh, message = '' } = pdu.short_message ?? {};
  const { esm_class = 0, data_coding = 0 } = pdu;
  check(
    ((esm_class & 0x40) !== 0) === (udh !== undefined),
    'esm_class and user data header differ',
  );
  check((esm_class & 0b0011_1100) === 0, `esm_class ${esm_class}`);
  check((pdu.priority_flag ?? 0) <= 3, `priority_flag ${pdu.priority_flag}`);
  check((pdu.registered_delivery ?? 0) <= 0b1_1111, 'registered_delivery');
  check(countOctets(message, data_coding, udh) <= OCTETS, 'longer than a short message');
  check(!message.includes('\u001B'), 'an escape sequence is cut in two');
  check(message.isWellFormed(), 'a surrogate pair is cut in two');
  return found;
}

function countOctets(text: string, dataCoding: number, udh: readonly Buffer[] = []): number {
  // Each element has a tag, a length and its value; the header has a length of its own.
  const header = udh.length === 0 ? 0 : 1 + udh.reduce((sum, element) => sum + element.length, 0);
  if (dataCoding === 8) return header + 2 * text.length;
  if (dataCoding !== 0) return header + text.length;
  const septets = text.length + (text.match(ESCAPED)?.length ?? 0);
  // The text starts at a septet.
  return Math.ceil(((Math.ceil((header * 8) / 7) + septets) * 7) / 8);
}
