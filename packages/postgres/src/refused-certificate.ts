const UNKNOWN_CA =
  "its CA is unknown; set sslrootcert in the URL to the file of the CA's certificate";

const REASONS = new Map([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_CA],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_CA],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_CA],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed; set sslrootcert in the URL to its file'],
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for another name; use a name in the certificate as host'],
]);

/** Replaces the message of an error about PostgreSQL's certificate by one that says what to correct. */
export function explainRefusedCertificate(error: Error & { code?: string }): void {
  const reason = REASONS.get(error.code ?? '');
  if (reason === undefined) return;
  error.message = `the certificate of PostgreSQL is refused: ${reason} (${error.code})`;
}
