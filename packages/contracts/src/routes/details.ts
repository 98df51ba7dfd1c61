/** The `detail` of errors that many routes share. */
export const DETAILS = {
  invalidApiKey: 'Invalid or missing API key',
  invalidSession: 'Invalid or missing session token',
  noSuchWorkspace: 'No such workspace',
  forbidden: 'Insufficient permissions for the resource',
  passwordsOff: 'Passwords are switched off: sign in with single sign-on',
  notJson: 'The request body is not valid JSON',
  malformed: 'The request is malformed',
  databaseUnavailable: 'The database is not available',
} as const;
