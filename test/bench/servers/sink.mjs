/** A fake provider that accepts every message as Twilio would, and counts the messages. */
import { createServer } from 'node:http';

let accepted = 0;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const sid = `SM${String(++accepted).padStart(32, '0')}`;
    const body = `{"sid":"${sid}","status":"queued"}`;
    response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ ready: { url: `http://127.0.0.1:${server.address().port}` } }));

process.on('message', ({ id }) => process.send({ id, result: accepted }));
process.on('disconnect', () => process.exit());
