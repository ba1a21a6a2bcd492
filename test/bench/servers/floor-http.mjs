/** Baseline: the same requests and replies on bare node:http. */
import { createServer } from 'node:http';
import { replies } from './floor-replies.mjs';

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    const text = JSON.stringify(body && replies[request.url]);
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': text.length });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ ready: { url: `http://127.0.0.1:${server.address().port}` } }));
process.on('disconnect', () => process.exit());
