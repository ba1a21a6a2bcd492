/** The guide of the MCP server: its tools, its key and its configurations. */
import { readFileSync } from 'node:fs';
import { AREAS, parseScopes } from '../../backend/src/modules/management-keys/management-key.js';
import { createTools } from '../../backend/src/modules/mcp/tools.js';
import type { Manage } from '../../backend/src/modules/manage/index.js';
import { OPERATIONS } from '../../backend/src/modules/manage/operations.js';
import { createPages } from '../../backend/src/dashboard/pages.js';
import type { Core } from '../../backend/src/core.js';

const guide = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

it('lists all tools with their rights', () => {
  const tools = createTools({} as Manage, 'http://127.0.0.1:3000');
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (?:`([\w:]+)`)?/gm)].map(([, name, right]) => [name, right]);
  expect(rows.map(([name]) => name).sort()).toEqual(tools.map(({ name }) => name).sort());
  const rights = new Map(OPERATIONS.map(({ name, area, right }) => [name as string, `${area}:${right}`]));
  for (const [name, right] of rows) expect([name, right]).toEqual([name, rights.get(name!) ?? 'read']);
});

it('creates a key that can only read, with areas that exist', () => {
  const [, scopes] = /--scopes (\S+)/.exec(guide)!;
  const parsed = parseScopes(scopes!.split(','))!;
  expect(Object.values(parsed).every((right) => right === 'read')).toBe(true);
  expect(AREAS).toEqual(expect.arrayContaining(Object.keys(parsed)));
});

it('has configurations that are JSON', () => {
  const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!) as object);
  expect(blocks).toHaveLength(3);
  for (const block of blocks) expect(JSON.stringify(block)).toMatch(/\/mcp|"mcp"/);
});

it('proposes only pages that exist', () => {
  const services: unknown = new Proxy({}, { get: () => services });
  const paths = createPages(services as Core)
    .filter(({ method }) => method === 'get')
    .map(({ path }) => path.replace(/:\w+/g, '{}'));
  const proposed = OPERATIONS.flatMap(({ page, parameters }) =>
    page === undefined ? [] : [page, ...Object.values(parameters).flatMap((each) => each['x-page'] ?? [])],
  );
  expect(proposed.length).toBeGreaterThan(8);
  expect(proposed.filter((page) => !paths.includes(page.replace(/\{\w+\}/g, '{}')))).toEqual([]);
});
