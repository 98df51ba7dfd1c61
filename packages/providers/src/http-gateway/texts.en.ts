export const name = 'HTTP gateway';
export const about = 'A phone with a gateway app, or another gateway with an HTTP API.';
export const webhookStep =
  'If the gateway reports received messages and statuses, enter these URLs there.';
export const change = 'Change';
export const apiKey = 'API key';
export const secretHint = 'Stored encrypted and never shown again.';
export const smsGatewayForAndroid = 'SMS Gateway for Android';
export const smsGateAbout =
  'Start the local server in the app, or use its cloud or private server. The home page of the app shows the address, the user name and the password.';
export const sendAddress = 'Address for sending messages';
export const smsGateAddressHint =
  'Local server: for example http://192.168.1.20:8080/message. Cloud server: https://api.sms-gate.app/3rdparty/v1/messages.';
export const userName = 'User name';
export const smsGateUserNameHint = 'The user name that the app shows.';
export const password = 'Password';
export const signingKey = 'Signing key (optional)';
export const smsGateSigningKeyHint =
  'In the app: Settings, Webhooks, Signing Key. Required for statuses and received messages.';
export const phoneNumber = 'Phone number (optional)';
export const smsGatePhoneNumberHint =
  'For example +14155550123. The app does not report the number of every phone.';
export const traccarSmsGateway = 'Traccar SMS Gateway';
export const traccarAbout =
  'The app shows its address and key. The app can only send: it reports neither statuses nor received messages.';
export const addressOfGateway = 'Address of the gateway';
export const traccarAddressHint =
  'Local server: for example http://192.168.1.20:8082/. Cloud server: https://www.traccar.org/sms/.';
export const apiKeyOrToken = 'API key or token';
export const textbee = 'textbee';
export const textbeeAbout =
  'Register the phone in the textbee dashboard. For statuses and received messages, add a webhook there with the URL that the account shows.';
export const signingSecret = 'Signing secret (optional)';
export const textbeeSigningSecretHint =
  'The signing secret of the webhook in the textbee dashboard. Required for statuses and received messages.';
export const textbeePhoneNumberHint = 'For example +14155550123. Required for received messages.';
export const deviceId = 'Device ID';
export const textbeeDeviceIdHint = 'Shown in the textbee dashboard.';
export const ownServer = 'Address of your own server (optional)';
export const textbeeOwnServerHint = 'Instead of https://api.textbee.dev.';
export const httpSms = 'httpSMS';
export const httpSmsAbout =
  'The httpSMS settings page shows the API key. This form does not support webhook signatures of httpSMS, so the account can only send.';
export const httpSmsOwnServerHint = 'Instead of https://api.httpsms.com.';
export const anotherGateway = 'Another gateway';
export const otherAbout =
  'Describe the request that sends a message. {{to}}, {{to_digits}}, {{from}}, {{body}}, {{id}} and {{status_url}} are replaced by the values of each message. docs/providers/http.md lists everything that a configuration may contain.';
export const gatewayConfiguration = 'Gateway configuration';
export const configurationHint =
  'A JSON object. Header values are stored encrypted and never shown again.';
export const changeAbout =
  'Secrets are not shown. If you change the address, enter all headers and the body again.';
export const changes = 'Changes (optional)';
export const changesHint =
  'A JSON object, for example {"signing": {"secret": "…"}}. Omitted parts are kept, and null removes a part.';
