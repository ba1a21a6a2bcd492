/** Work that continues after the reply to a request. */
import { createBackgroundWork } from '../../backend/src/platform/background.js';
import { createLog } from '../../backend/src/platform/log.js';

it('stopping waits for work in progress', async () => {
  const background = createBackgroundWork(createLog('silent'));
  const steps: string[] = [];
  let finish = (): void => undefined;
  background.run('work', async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    steps.push('work ended');
  });
  const stopped = background.stop().then(() => steps.push('stopped'));
  finish();
  await stopped;
  expect(steps).toEqual(['work ended', 'stopped']);
});

it('failed work is logged by its kind, without its message', async () => {
  const lines: string[] = [];
  const background = createBackgroundWork(createLog('info', { write: (line) => void lines.push(line) }));
  background.run('sign-in code', async () => {
    throw Object.assign(new TypeError('ana@example.com cannot be reached'), { code: 'EBROKEN' });
  });
  await background.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', msg: 'task failed', task: 'sign-in code', err: { type: 'TypeError', reason: 'EBROKEN' } },
  ]);
  expect(lines.join('')).not.toContain('ana@example.com');
});
