import type { RedisAddress } from './parse-redis-url.ts';

const REASONS: Record<string, string> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its CA is unknown; set ?ca= to the file of the CA certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its CA is unknown; set ?ca= to the file of the CA certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'its CA is unknown; set ?ca= to the file of the CA certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed; set ?ca= to its file',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'it is for another name; use a name in the certificate as the host, or set ?server_name= to it',
};

/** Explains what is wrong with a certificate. Returns any other failure as it is. */
export function explainRefusedCertificate(failure: unknown, { host, port }: RedisAddress): Error {
  const error = failure instanceof Error ? failure : new Error(String(failure));
  const code = 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  return reason === undefined
    ? error
    : new Error(`the certificate of ${host}:${port} is refused: ${reason} (${code})`);
}
