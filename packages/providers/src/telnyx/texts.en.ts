export const name = 'Telnyx';
export const about =
  'Sends and receives SMS and MMS. Switchboard sets up the webhook of your messaging profile.';
export const step1 = 'Account Settings, Keys & Credentials, API Keys: create a key and copy it.';
export const step2 =
  'The same page, Public Key tab: copy the key, which verifies webhooks from Telnyx.';
export const step3 =
  'Messaging: open your profile, set its webhook API version to 2, and copy the profile ID.';
export const step4 = 'Assign your numbers to the profile.';
export const apiKey = 'API key';
export const apiKeyHint = 'Telnyx shows the key once. Stored encrypted and never shown again.';
export const publicKey = 'Public key';
export const publicKeyHint = 'On the Public Key tab. The key verifies webhooks from Telnyx.';
export const messagingProfileId = 'Messaging profile ID (optional)';
export const messagingProfileIdHint =
  'The Profile ID of your messaging profile. Required for messages without a sender.';
