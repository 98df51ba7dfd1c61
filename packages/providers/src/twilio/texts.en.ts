export const name = 'Twilio';
export const about =
  'Sends and receives SMS and MMS. Switchboard sets up inbound messages for your numbers.';
export const step1 =
  'Copy the account SID and the auth token: the home page of the Twilio console shows both.';
export const step2 =
  'If you send with a messaging service, copy its SID as well: Messaging, Services.';
export const accountSid = 'Account SID';
export const accountSidHint = 'Begins with AC.';
export const authToken = 'Auth token';
export const secretHint = 'Stored encrypted and never shown again.';
export const messagingServiceSid = 'Messaging service SID (optional)';
export const messagingServiceSidHint =
  'Begins with MG. The messaging service selects the sender of a message that has none.';
