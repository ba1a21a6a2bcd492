/** Runs programs that use clients/python, with the Python of this machine or the program in TEST_PYTHON. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './process.js';
import type { Body } from './service.js';

const run = promisify(execFile);

export const PYTHON = process.env.TEST_PYTHON ?? 'python3';
export const pythonEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PYTHONPATH: join(root, 'clients/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
};
const isPossible = (code: string) => spawnSync(PYTHON, ['-c', code], { env: pythonEnv }).status === 0;

export const hasPython = isPossible('import sys; assert sys.version_info >= (3, 9)');
export const hasModule = (name: string): boolean => hasPython && isPossible(`import ${name}`);

const PRELUDE = `
import json, sys, traceback
from passbell import Passbell, PassbellError, verify_webhook
given = json.loads(sys.argv[1])
replies = []
passbell = Passbell(on_reply=replies.append, **given.pop("client", {}) or dict(base_url="http://127.0.0.1:9", app_key="-", app_secret="-"))
try:
`;
const END = `
    print(json.dumps(result))
except PassbellError as error:
    print(json.dumps({"error": vars(error), "text": "".join(traceback.format_exception(type(error), error, error.__traceback__))}))
`;

/** Runs lines that set \`result\`, and returns it, or \`error\` with the attributes of the PassbellError. */
export async function python(lines: string, given: object = {}): Promise<Body> {
  const program = PRELUDE + lines.trim().replace(/^/gm, '    ') + END;
  const args = ['-W', 'error', '-c', program, JSON.stringify(given)];
  const { stdout } = await run(PYTHON, args, { env: pythonEnv });
  return JSON.parse(stdout);
}
