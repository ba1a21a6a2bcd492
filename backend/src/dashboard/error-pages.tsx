import type { Response } from 'express';
import { renderBare } from './render.js';

const ERROR_TEXTS = {
  absent: { status: 404, title: 'There is no such page', text: 'It may have moved, or it belongs to another account.' },
  right: {
    status: 403,
    title: 'Your role does not allow this',
    text: 'An owner of the account can do it, or change your role on the People page.',
  },
  form: {
    status: 403,
    title: 'This form is too old',
    text: 'You may have signed in again in another tab meanwhile. Go back, reload the page, and send it again.',
  },
  size: { status: 413, title: 'That was too much', text: 'A form holds at most 64 KB. Nothing was saved.' },
  away: { status: 503, title: 'The database does not answer', text: 'Nothing was saved. Try again in a few seconds.' },
  failure: {
    status: 500,
    title: 'Something went wrong here',
    text: 'It is written in the log of the service. Try again, or tell whoever runs it.',
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
          To the dashboard
        </a>
      </p>
    </>,
  );
  response.status(status).type('html').send(html);
}
