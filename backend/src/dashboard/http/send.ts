import type { Response } from 'express';
import type { PageReply, Visit } from '../page.js';
import { renderFragment, renderPage, type Frame } from '../render.js';

/** Resolves when the client has read the buffered data, or has disconnected. */
function waitForDrain(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

async function sendFile(response: Response, { name, type, chunks }: Extract<PageReply, { kind: 'file' }>) {
  response.set('Content-Disposition', `attachment; filename="${name}"`).type(type);
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await waitForDrain(response);
  }
  response.end();
}

export async function send(
  response: Response,
  frame: Frame,
  visit: Visit,
  reply: Exclude<PageReply, { kind: 'redirect' }>,
): Promise<void> {
  switch (reply.kind) {
    case 'page':
      response.status(reply.status).type('html');
      return void response.send(renderPage(frame, visit, reply.title, reply.content));
    case 'fragment':
      return void response.status(reply.status).type('html').send(renderFragment(visit, reply.content));
    case 'framed':
      response.set({ 'Content-Security-Policy': reply.policy, 'X-Frame-Options': 'SAMEORIGIN' });
      return void response.type('html').send(reply.html);
    case 'file':
      return sendFile(response, reply);
  }
}
