// vendors.ts
export const twilio = 'Twilio';
export const twilioAbout =
  'Sends and receives SMS and MMS. Switchboard sets up inbound messages for your numbers.';
export const twilioStep1 =
  'Copy the account SID and the auth token: the home page of the Twilio console shows both.';
export const twilioStep2 =
  'If you send with a messaging service, copy its SID as well: Messaging, Services.';
export const accountSid = 'Account SID';
export const twilioAccountSidHint = 'Begins with AC.';
export const authToken = 'Auth token';
export const secretHint = 'Stored encrypted and never shown again.';
export const messagingServiceSid = 'Messaging service SID (optional)';
export const twilioMessagingServiceSidHint =
  'Begins with MG. The messaging service selects the sender of a message that has none.';
export const telnyx = 'Telnyx';
export const telnyxAbout =
  'Sends and receives SMS and MMS. Switchboard sets up the webhook of your messaging profile.';
export const telnyxStep1 =
  'Account Settings, Keys & Credentials, API Keys: create a key and copy it.';
export const telnyxStep2 =
  'The same page, Public Key tab: copy the key, which verifies webhooks from Telnyx.';
export const telnyxStep3 =
  'Messaging: open your profile, set its webhook API version to 2, and copy the profile ID.';
export const telnyxStep4 = 'Assign your numbers to the profile.';
export const apiKey = 'API key';
export const telnyxApiKeyHint =
  'Telnyx shows the key once. Stored encrypted and never shown again.';
export const publicKey = 'Public key';
export const telnyxPublicKeyHint = 'On the Public Key tab. The key verifies webhooks from Telnyx.';
export const messagingProfileId = 'Messaging profile ID (optional)';
export const telnyxMessagingProfileIdHint =
  'The Profile ID of your messaging profile. Required for messages without a sender.';
export const vonage = 'Vonage';
export const vonageAbout = 'Sends and receives SMS and MMS with the Messages API.';
export const vonageStep1 =
  'Settings, API settings: set Default SMS Setting to Messages API, and copy the signature secret.';
export const vonageStep2 =
  'Applications: create an application with the Messages capability, and copy its application ID.';
export const vonageStep3 =
  'Generate a public and private key for the application, and save the file private.key.';
export const vonageStep4 = 'Link your numbers to the application.';
export const vonageWebhookStep =
  'Applications, your application, Messages: enter both URLs, with version v1 and signed webhooks.';
export const applicationId = 'Application ID';
export const vonageApplicationIdHint = 'On the application’s page.';
export const privateKey = 'Private key';
export const vonagePrivateKeyHint =
  'Paste the complete content of the application’s file private.key.';
export const signatureSecret = 'Signature secret';
export const vonageSignatureSecretHint =
  'Under Settings, API settings. The secret verifies webhooks from Vonage.';
export const optionalApiKey = 'API key (optional)';
export const vonageApiKeyHint =
  'Under Settings, API settings. With the key and the secret, Switchboard can list the numbers of the account.';
export const apiSecret = 'API secret (optional)';
export const vonageApiSecretHint =
  'Gives access to the whole Vonage account, not only to this application.';
export const httpGateway = 'HTTP gateway';
export const httpAbout = 'A phone with a gateway app, or another gateway with an HTTP API.';
export const httpWebhookStep =
  'If the gateway reports received messages and statuses, enter these URLs there.';
export const smpp = 'SMPP';
export const smppAbout =
  'Any carrier or aggregator with an SMPP 3.4 server. The carrier or aggregator gives you the host, port, system ID and password, and the permitted window and number of binds.';
export const host = 'Host';
export const smppHostHint = 'For example smpp.example.com.';
export const port = 'Port';
export const smppPortHint = 'Often 2775.';
export const useTls = 'Use TLS';
export const smppUseTlsHint =
  'Without TLS, the password and all message texts can be read in transit.';
export const systemId = 'System ID';
export const smppSystemIdHint = 'The user name of the account.';
export const password = 'Password';
export const systemType = 'System type (optional)';
export const smppSystemTypeHint = 'Most providers do not need a system type.';
export const bind = 'Bind';
export const smppBindHint = 'Older servers need two binds.';
export const transceiver = 'Transceiver';
export const transmitterAndReceiver = 'Transmitter and receiver';
export const window = 'Window';
export const smppWindowHint = 'How many messages may wait for a response on one bind.';
export const numberOfBinds = 'Number of binds';
export const smppNumberOfBindsHint = 'How many binds all workers may have in total.';
export const longMessages = 'Long messages';
export const smppLongMessagesHint = 'Most providers accept parts.';
export const inPartsWithHeader = 'In parts with a header (UDH)';
export const asOneMessage = 'As one message (message_payload)';
export const messageIds = 'Message IDs';
export const smppMessageIdsHint =
  'Change this if messages are sent but their receipts have no effect.';
export const idsSame = 'The same in responses and receipts';
export const idsDecimal = 'Decimal in both, with leading zeros in one';
export const idsHexInResponse = 'Hexadecimal in responses, decimal in receipts';
export const idsHexInReceipt = 'Decimal in responses, hexadecimal in receipts';
export const throttleCodes = 'Codes for “later” (optional)';
export const smppThrottleCodesHint =
  'Error codes of this provider that only delay a message, for example 0x0403. Switchboard sends the message again.';
export const sourceTon = 'Source TON (optional)';
export const destinationTon = 'Destination TON (optional)';
export const smppTonHint =
  'Type of number, 0 to 6. If empty, Switchboard chooses the type for each address.';
export const sourceNpi = 'Source NPI (optional)';
export const destinationNpi = 'Destination NPI (optional)';
export const smppNpiHint =
  'Numbering plan, 0 to 18. If empty, Switchboard chooses the plan for each address.';
export const sandbox = 'Sandbox';
export const sandboxAbout =
  'Sends nothing: every message counts as delivered immediately. For trying out Switchboard.';
