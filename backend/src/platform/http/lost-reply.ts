/** Detects that a caller did not receive the reply. */
import type { Response } from 'express';

/** Calls `work` if the connection closes before the reply has been sent. Ignores errors from `work`. */
export function onReplyLost(response: Response, work: () => Promise<unknown>): void {
  const onClose = () => {
    if (!response.writableFinished) void work().catch(() => undefined);
  };
  if (response.closed) onClose();
  else response.once('close', onClose);
}
