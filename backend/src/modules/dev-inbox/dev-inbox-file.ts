/**
 * Keeps the messages of the dev inbox over a restart. The file exists only while the server is stopped, is encrypted, and
 * contains only recent messages.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, SECOND, type Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { DevInbox, StoredMessage } from './dev-inbox.js';

const INBOX_FILE = 'dev-inbox.sealed';
const CONTEXT = 'dev-inbox';
/** Older messages are of no use to a developer, and contain addresses of people. */
const KEPT_MS = DAY;

/** Moves the messages from the file to the inbox. Returns the function that writes the file when the server stops. */
export function openInboxFile(
  inbox: DevInbox | undefined,
  dataDir: string,
  keyring: Keyring,
  clock: Pick<Clock, 'now'>,
): () => void {
  const file = join(dataDir, INBOX_FILE);
  const isRecent = ({ message }: StoredMessage) => message.createdTime * SECOND > clock.now() - KEPT_MS;
  try {
    const messages = JSON.parse(keyring.open(CONTEXT, readFileSync(file, 'utf8'))) as StoredMessage[];
    inbox?.restore(messages.filter(isRecent));
  } catch {
    // There is no file, or it was sealed with a key that is no longer in use.
  }
  rmSync(file, { force: true });
  return function keepMessages() {
    const messages = inbox?.stored().filter(isRecent) ?? [];
    if (messages.length > 0) writeFileSync(file, keyring.seal(CONTEXT, JSON.stringify(messages)), { mode: 0o600 });
  };
}
