/** Third-party programs that tests use to check the service. */
import { aptInstall, findProgram, thisMachine } from './servers/find.js';

async function install(name: string, aptPackage: string): Promise<void> {
  const { isRoot, hasApt } = thisMachine();
  if (!isRoot || !hasApt) return;
  process.stderr.write(`tests: installing ${name}, once …\n`);
  await aptInstall(aptPackage).catch((error: Error) => process.stderr.write(`tests: ${error.message.trim()}\n`));
}

/** Returns `it` if the program is installed or can be installed with apt; otherwise, a function that skips the test. */
export async function itWithProgram(
  name: string,
  aptPackage = name,
): Promise<(title: string, test: () => unknown) => void> {
  if (!findProgram(name)) await install(name, aptPackage);
  if (findProgram(name)) return (title, test) => it(title, test as () => Promise<void>);
  return (title) => it.skip(`${title} (${name} is not installed here)`, () => undefined);
}
