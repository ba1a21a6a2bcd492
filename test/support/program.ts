/** Programs of others that tests hold the service against. */
import { aptInstall, findProgram, thisMachine } from './servers/find.js';

async function install(name: string, aptPackage: string): Promise<void> {
  const { isRoot, hasApt } = thisMachine();
  if (!isRoot || !hasApt) return;
  process.stderr.write(`tests: installing ${name}, once …\n`);
  await aptInstall(aptPackage).catch((error: Error) => process.stderr.write(`tests: ${error.message.trim()}\n`));
}

/** `it` for a test that runs a program: of this machine, else installed as root on Debian. Else the test is skipped, and says why. */
export async function itWith(name: string, aptPackage = name): Promise<(title: string, test: () => unknown) => void> {
  if (!findProgram(name)) await install(name, aptPackage);
  if (findProgram(name)) return (title, test) => it(title, test as () => Promise<void>);
  return (title) => it.skip(`${title} (${name} is not installed here)`, () => undefined);
}
