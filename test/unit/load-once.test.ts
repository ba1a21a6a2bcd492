import { loadOnce } from '../../backend/src/platform/load-once.js';

test('concurrent and later uses share one load', async () => {
  const load = jest.fn(async () => ({}));
  const loaded = loadOnce(load);
  const [first, second] = await Promise.all([loaded(), loaded()]);
  expect(second).toBe(first);
  expect(await loaded()).toBe(first);
  expect(load).toHaveBeenCalledTimes(1);
});

test('after a failure, the next use loads again', async () => {
  const load = jest.fn(async () => 'part');
  load.mockRejectedValueOnce(new Error('too many open files'));
  const loaded = loadOnce(load);
  await expect(loaded()).rejects.toThrow('too many open files');
  expect(await loaded()).toBe('part');
});
