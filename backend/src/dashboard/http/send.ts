/** Sends what a page answers. */
import type { Response } from 'express';
import type { Answer, ApplicationVisit, Visit } from '../page.js';
import { renderFragment, renderPage, type Frame } from '../render.js';

async function sendFile(response: Response, { name, type, chunks }: Extract<Answer, { kind: 'file' }>): Promise<void> {
  response.set('Content-Disposition', `attachment; filename="${name}"`).type(type);
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    // A slow reader is waited for, and one who has left is not.
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  response.end();
}

/** Everything but redirects, which need the request as well. */
export async function send(
  response: Response,
  frame: Frame,
  visit: Visit,
  answer: Exclude<Answer, { kind: 'redirect' }>,
): Promise<void> {
  switch (answer.kind) {
    case 'page': {
      const { title, content } = answer;
      const { application } = visit as Partial<ApplicationVisit>;
      const html = renderPage(frame, { visit, title, content, application });
      return void response.status(answer.status).type('html').send(html);
    }
    case 'fragment':
      return void response.status(answer.status).type('html').send(renderFragment(visit, answer.content));
    case 'framed':
      response.set({ 'Content-Security-Policy': answer.policy, 'X-Frame-Options': 'SAMEORIGIN' });
      return void response.type('html').send(answer.html);
    case 'file':
      return sendFile(response, answer);
  }
}
