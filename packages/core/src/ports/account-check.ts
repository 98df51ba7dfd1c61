/** The result of a check of an account's credentials. */
export interface AccountCheck {
  /** The account can send. */
  ok: boolean;
  /** The provider refused the credentials. */
  isRefused: boolean;
  /** The name of the refused credential in a request. Default: the secret. */
  refusedName?: string;
  /** The provider did not respond, so the credentials may be valid or not. */
  isUnavailable: boolean;
  /** A sentence for the account's owner. */
  detail: string;
}
