/** Names the cause of a failed connection. The messages of other database errors can contain stored values. */

/** Causes by the driver's error code, as sentences that say what to do. */
const CAUSES: Readonly<Record<string, string>> = {
  HANDSHAKE_NO_SSL_SUPPORT:
    'The database server does not offer TLS. Turn on TLS on the server, or use ?ssl-mode=DISABLED in DATABASE_URL.',
  ER_SECURE_TRANSPORT_REQUIRED:
    'The database server requires TLS. Add ?ssl-mode=REQUIRED to DATABASE_URL, or set DATABASE_CA_FILE.',
  ER_ACCESS_DENIED_ERROR:
    'The database server rejected the user. Check the user and the password in DATABASE_URL. A user that requires TLS also needs ?ssl-mode=REQUIRED, and perhaps DATABASE_CERT_FILE.',
  ER_BAD_DB_ERROR: 'The database server has no database of this name. Create it, or correct the name in DATABASE_URL.',
  ER_DBACCESS_DENIED_ERROR:
    'The user has no privileges on this database. Grant them, or correct the name in DATABASE_URL.',
  ER_OPTION_PREVENTS_STATEMENT:
    'The database server is read-only. Set DATABASE_URL to the primary, or list all servers, separated by commas.',
  ER_CON_COUNT_ERROR: 'The database server has too many connections. Raise its max_connections.',
  ENOTFOUND: 'The host name of the database server does not exist. Check DNS and the host in DATABASE_URL.',
  EAI_AGAIN: 'The host name of the database server cannot be looked up. Check DNS.',
  ECONNREFUSED:
    'The database server refused the connection. Check the host and the port in DATABASE_URL, and make sure that the server is running.',
  ETIMEDOUT: 'The database server did not reply in time. Check the firewall and the host in DATABASE_URL.',
};

/** Causes by the message of a failed TLS handshake, whose original code the driver replaces. */
const TLS_CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /altnames|does not match certificate/i,
    'The certificate of the database server is for another host name. Use the name in the certificate as the host in DATABASE_URL, or ?ssl-mode=VERIFY_CA.',
  ],
  [/expired/i, 'The certificate of the database server has expired.'],
  [
    /self.signed|issuer|first certificate|unable to verify|signature failure/i,
    'The certificate of the database server is not signed by a trusted CA. Set DATABASE_CA_FILE to the CA file of your provider.',
  ],
];

/** Returns the cause and what to do; undefined if the cause is not known. */
export function explainDatabaseError(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message: string };
  if (code !== 'HANDSHAKE_SSL_ERROR') return CAUSES[String(code)];
  const known = TLS_CAUSES.find(([pattern]) => pattern.test(message));
  return (
    known?.[1] ??
    'The TLS handshake with the database server failed. Check DATABASE_CERT_FILE, and the TLS versions of the server.'
  );
}
