export interface PhoneNumber {
  sid: string;
  accountSid: string;
  phoneNumber: string;
  friendlyName: string;
  smsUrl: string;
  smsMethod: 'GET' | 'POST';
  /** Empty without an SMS application. With one, Twilio ignores `smsUrl`. */
  smsApplicationSid: string;
  createdAt: number;
  updatedAt: number;
}
