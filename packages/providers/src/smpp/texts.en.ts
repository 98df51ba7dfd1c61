export const name = 'SMPP';
export const about =
  'Any carrier or aggregator with an SMPP 3.4 server. The carrier or aggregator gives you the host, port, system ID and password, and the permitted window and number of binds.';
export const host = 'Host';
export const port = 'Port';
export const useTls = 'Use TLS';
export const systemId = 'System ID';
export const password = 'Password';
export const systemType = 'System type (optional)';
export const bind = 'Bind';
export const transceiver = 'Transceiver';
export const transmitterAndReceiver = 'Transmitter and receiver';
export const window = 'Window';
export const numberOfBinds = 'Number of binds';
export const longMessages = 'Long messages';
export const inPartsWithHeader = 'In parts with a header (UDH)';
export const asOneMessage = 'As one message (message_payload)';
export const messageIds = 'Message IDs';
export const idsSame = 'The same in responses and receipts';
export const idsDecimal = 'Decimal in both, with leading zeros in one';
export const idsHexInResponse = 'Hexadecimal in responses, decimal in receipts';
export const idsHexInReceipt = 'Decimal in responses, hexadecimal in receipts';
export const throttleCodes = 'Throttling codes (optional)';
export const sourceTon = 'Source TON (optional)';
export const destinationTon = 'Destination TON (optional)';
export const sourceNpi = 'Source NPI (optional)';
export const destinationNpi = 'Destination NPI (optional)';
export const secretHint = 'Stored encrypted and never shown again.';
export const hostHint = 'For example smpp.example.com.';
export const portHint = 'Often 2775.';
export const useTlsHint = 'Without TLS, the password and all message texts can be read in transit.';
export const systemIdHint = 'The user name of the account.';
export const systemTypeHint = 'Most providers do not need a system type.';
export const bindHint = 'Older servers need two binds.';
export const windowHint = 'How many messages may wait for a response on one bind.';
export const numberOfBindsHint = 'How many binds all workers may have in total.';
export const longMessagesHint = 'Most providers accept parts.';
export const messageIdsHint = 'Change this if messages are sent but their receipts have no effect.';
export const throttleCodesHint =
  'Error codes of this provider that only delay a message, for example 0x0403. Switchboard sends the message again.';
export const tonHint =
  'Type of number, 0 to 6. If empty, Switchboard chooses the type for each address.';
export const npiHint =
  'Numbering plan, 0 to 18. If empty, Switchboard chooses the plan for each address.';
