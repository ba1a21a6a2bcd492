/** Detects replies that a caller did not receive. */
import type { Response } from 'express';

/** Calls `work` if the connection is closed before the reply was sent. Ignores errors of `work`. */
export function onReplyLost(response: Response, work: () => Promise<unknown>): void {
  const onClose = () => {
    if (!response.writableFinished) void work().catch(() => undefined);
  };
  if (response.closed) onClose();
  else response.once('close', onClose);
}
