export const name = 'Vonage';
export const about = 'Sends and receives SMS and MMS with the Messages API.';
export const step1 =
  'Settings, API settings: set Default SMS Setting to Messages API, and copy the signature secret.';
export const step2 =
  'Applications: create an application with the Messages capability, and copy its application ID.';
export const step3 =
  'Generate a public and private key for the application, and save the file private.key.';
export const step4 = 'Link your numbers to the application.';
export const webhookStep =
  'Applications, your application, Messages: enter both URLs, with version v1 and signed webhooks.';
export const applicationId = 'Application ID';
export const applicationIdHint = 'On the application’s page.';
export const privateKey = 'Private key';
export const privateKeyHint = 'Paste the complete content of the application’s file private.key.';
export const signatureSecret = 'Signature secret';
export const signatureSecretHint =
  'Under Settings, API settings. The secret verifies webhooks from Vonage.';
export const apiKey = 'API key (optional)';
export const apiKeyHint =
  'Under Settings, API settings. With the key and the secret, Switchboard can list the numbers of the account.';
export const apiSecret = 'API secret (optional)';
export const apiSecretHint =
  'Gives access to the whole Vonage account, not only to this application.';
