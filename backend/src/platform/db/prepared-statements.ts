/** Number of prepared statements that a connection keeps. Statements for lists exist in several lengths. */
const MAX_STATEMENTS = 300;

interface Connection {
  prepare(sql: string): object;
}

/**
 * Makes a SQLite connection keep its prepared statements, because preparing one takes longer than running it. SQLite
 * prepares a statement again when the tables have changed.
 */
export function keepPreparedStatements(connection: Connection): void {
  const prepare = connection.prepare.bind(connection);
  /** Statements by their SQL, least recently used first. */
  const statements = new Map<string, object>();
  connection.prepare = (sql) => {
    const statement = statements.get(sql) ?? prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > MAX_STATEMENTS) statements.delete(oldest!);
    return statement;
  };
}
