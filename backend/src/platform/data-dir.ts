/** What is in `DATA_DIR`. */
export const DATA_FILES = { database: 'passbell.sqlite', key: 'secret.key', lock: 'server.lock' } as const;

/** The state of the data folder does not allow a start; the text says what the operator can do. */
export class DataDirError extends Error {}
