/** The page `/unsubscribe`, to which the header List-Unsubscribe of notifications refers (RFC 8058). */
import express, { Router, type Request, type Response } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import { escapeHtml } from '../templates/rendering/text.js';
import type { OptOutsService } from './opt-outs-service.js';

/** A request contains two short form fields. */
const BODY_LIMIT = '10kb';

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

const page = (title: string, text: string, button = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34em;margin:15vh auto;padding:0 1em}
button{font:inherit;padding:.6em 1.2em}</style></head>
<body><main><h1>${title}</h1><p>${text}</p>${button}</main></body></html>
`;

/** The form sends its fields to the URL of the page, which contains the token. */
const buttonOf = (label: string, field: string): string =>
  `<form method="post"><input type="hidden" name="${field}" value="yes"><button>${label}</button></form>`;

const INVALID = page('This link is not valid', 'Open the link in the email again, or contact the shop.');

const TOO_MANY = page('Too many changes', 'Nothing was changed. Open the link again in an hour.');

const unsubscribed = (name: string): string => {
  const text = `${name} no longer sends you emails about your orders.`;
  return page('You are unsubscribed', text, buttonOf('Undo', 'subscribe'));
};

export function unsubscribeRoutes(
  optOuts: Pick<OptOutsService, 'subscriberOf' | 'decideByLink' | 'hasStopped'>,
  nameOf: (applicationId: number) => Promise<string | undefined>,
): Router {
  const router = Router();

  async function open(request: Request, response: Response) {
    response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': PAGE_POLICY });
    response.type('html');
    const { token } = request.query;
    const subscriber = typeof token === 'string' ? optOuts.subscriberOf(token) : undefined;
    const name = subscriber && (await nameOf(subscriber.applicationId));
    if (subscriber && name !== undefined) return { subscriber, name: escapeHtml(name) };
    response.status(404).send(INVALID);
    return undefined;
  }

  // Mail servers open links to check them, so a GET request changes nothing.
  router.get('/unsubscribe', async (request, response) => {
    const opened = await open(request, response);
    if (!opened) return;
    const { subscriber, name } = opened;
    if (await optOuts.hasStopped(subscriber.applicationId, subscriber.address, ['EMAIL']))
      return void response.send(unsubscribed(name));
    const text = `Stop emails about your orders from ${name}? You will still get codes and invoices.`;
    response.send(page('Unsubscribe', text, buttonOf('Unsubscribe', 'unsubscribe')));
  });

  router.post('/unsubscribe', express.urlencoded({ limit: BODY_LIMIT, extended: false }), async (request, response) => {
    const opened = await open(request, response);
    if (!opened) return;
    const { subscriber, name } = opened;
    const optedOut = request.body?.subscribe !== 'yes';
    try {
      await optOuts.decideByLink(subscriber, optedOut);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'TOO_MANY_CALLS') throw error;
      response.set('Retry-After', String(error.details.retryAfterSeconds));
      response.status(429).send(TOO_MANY);
      return;
    }
    const subscribed = page('You are subscribed again', `${name} sends you emails about your orders.`);
    response.send(optedOut ? unsubscribed(name) : subscribed);
  });
  return router;
}
