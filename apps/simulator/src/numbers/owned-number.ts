export interface PhoneNumber {
  sid: string;
  accountSid: string;
  phoneNumber: string;
  friendlyName: string;
  smsUrl: string;
  smsMethod: 'GET' | 'POST';
  createdAt: number;
  updatedAt: number;
}
