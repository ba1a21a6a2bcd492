/** The GitHub workflows that publish packages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.cwd(), '.github/workflows');
const actions = readdirSync(folder).flatMap((file) =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/^\s*-?\s*uses: *(.+)$/gm)].map((match) => match[1]!),
);

it('workflows pin every action to a commit', () => {
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w.-]+\/[\w.\/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
