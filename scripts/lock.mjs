/** A lock between processes. Uses only Node's built-in modules, because it runs before the dependencies are installed. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const RETRY_MS = 200;

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Returns whether this process now owns the lock. */
function tryLock(file) {
  const own = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(own, String(process.pid));
  try {
    // Unlike a new file, a link is created together with its content.
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own);
  }
}

/** Deletes the lock of a process that was killed. */
function removeIfAbandoned(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(file, { force: true });
  }
}

/**
 * Calls `work` while no other process holds the lock. `onWait` is called once if the lock is taken. Without write
 * permission, calls `work` without a lock: it then has nothing to write either.
 */
export function withLock(file, work, onWait) {
  try {
    for (let waits = 0; !tryLock(file); waits++) {
      if (waits === 0) onWait();
      removeIfAbandoned(file);
      sleep(RETRY_MS);
    }
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    return work();
  }
  const unlock = () => rmSync(file, { force: true });
  process.once('exit', unlock);
  try {
    return work();
  } finally {
    process.off('exit', unlock);
    unlock();
  }
}
