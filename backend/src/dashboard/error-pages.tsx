import type { Response } from 'express';
import { renderBare } from './render.js';

const ERROR_TEXTS = {
  absent: { status: 404, title: 'Page not found', text: 'It may have moved, or it belongs to another account.' },
  right: {
    status: 403,
    title: "You don't have permission to do this",
    text: 'Ask an owner of the account to do it, or to change your role on the People page.',
  },
  form: {
    status: 403,
    title: 'This form has expired',
    text: 'You may have signed in again in another tab. Go back, reload the page, and try again.',
  },
  size: {
    status: 413,
    title: 'This form is too large',
    text: 'A form can contain at most 64 kB, and a price list 300 kB. Nothing was saved.',
  },
  away: { status: 503, title: "The database isn't responding", text: 'Nothing was saved. Try again in a few seconds.' },
  failure: {
    status: 500,
    title: 'Something went wrong',
    text: 'The details are in the server log. Try again, or contact the operator of this server.',
  },
};

export function errorPage(response: Response, kind: keyof typeof ERROR_TEXTS): void {
  const { status, title, text } = ERROR_TEXTS[kind];
  const html = renderBare(
    title,
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <p>
        <a class="button" href="/dashboard">
          Back to the dashboard
        </a>
      </p>
    </>,
  );
  response.status(status).type('html').send(html);
}
