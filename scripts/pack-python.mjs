/** Packs the Python client as a wheel, a ZIP file with metadata, without Python. The client contains no compiled code. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { zip } from './zip.mjs';

const folder = join(root, 'clients/python');
const read = (path) => readFileSync(join(folder, path));

/** Returns the values of the wheel's metadata, which are strings on lines of their own in pyproject.toml. */
function projectOf(toml) {
  const value = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(toml)[1];
  const names = ['name', 'version', 'description', 'license', 'requires-python', 'Homepage', 'Repository'];
  const project = Object.fromEntries(names.map((name) => [name, value(name)]));
  const [, author, email] = /^authors = \[\{ name = "(.*)", email = "(.*)" \}\]$/m.exec(toml);
  const [, local] = /^local = \["(.*)"\]$/m.exec(toml);
  return { ...project, author: `${author} <${email}>`, local };
}

const metadataOf = (project) => `Metadata-Version: 2.4
Name: ${project.name}
Version: ${project.version}
Summary: ${project.description}
Author-email: ${project.author}
License-Expression: ${project.license}
License-File: LICENSE
Project-URL: Homepage, ${project.Homepage}
Project-URL: Repository, ${project.Repository}
Requires-Python: ${project['requires-python']}
Provides-Extra: local
Requires-Dist: ${project.local}; extra == "local"
Description-Content-Type: text/markdown

${read('README.md')}`;

const WHEEL = `Wheel-Version: 1.0
Generator: passbell
Root-Is-Purelib: true
Tag: py3-none-any
`;

/** Writes the wheel to a folder. Returns its path. */
export function packPython(target) {
  const project = projectOf(read('pyproject.toml').toString());
  const info = `${project.name}-${project.version}.dist-info`;
  const sources = readdirSync(join(folder, 'src/passbell')).filter((name) => /\.(py|typed)$/.test(name));
  const files = [
    ...sources.sort().map((name) => [`passbell/${name}`, read(`src/passbell/${name}`)]),
    [`${info}/METADATA`, Buffer.from(metadataOf(project))],
    [`${info}/WHEEL`, Buffer.from(WHEEL)],
    [`${info}/licenses/LICENSE`, read('LICENSE')],
  ];
  const hashOf = (content) => createHash('sha256').update(content).digest('base64url');
  const records = files.map(([name, content]) => `${name},sha256=${hashOf(content)},${content.length}\n`);
  const record = [`${info}/RECORD`, Buffer.from(`${records.join('')}${info}/RECORD,,\n`)];
  const path = join(target, `${project.name}-${project.version}-py3-none-any.whl`);
  writeFileSync(path, zip([...files, record]));
  return path;
}
