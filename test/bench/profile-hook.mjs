/**
 * Preloaded into the service: the first SIGUSR2 starts a CPU profile, the second writes it to the folder PROFILE_TO.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

let session;

process.on('SIGUSR2', () => {
  if (!session) {
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 500 });
    session.post('Profiler.start');
    return;
  }
  session.post('Profiler.stop', (_error, { profile }) =>
    writeFileSync(`${process.env.PROFILE_TO}/${process.env.ROLE}.cpuprofile`, JSON.stringify(profile)),
  );
});
