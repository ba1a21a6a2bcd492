/** Baseline: the same requests and replies on bare Express with its JSON parser. */
import { createRequire } from 'node:module';
import { replies } from './floor-replies.mjs';

// Uses the service's version of Express.
const express = createRequire(new URL('../../../backend/package.json', import.meta.url))('express');

const app = express();
app.use(express.json());
for (const [path, body] of Object.entries(replies))
  app.post(path, (request, response) => {
    response.json(request.body && body);
  });

const server = app.listen(0, '127.0.0.1', () =>
  process.send({ ready: { url: `http://127.0.0.1:${server.address().port}` } }),
);
process.on('disconnect', () => process.exit());
