/** The page `/docs/api/management`: the operations of the management API, from its contract. */
import { capitalized } from '../../platform/capitalized.js';
import { LIST } from '../../platform/list.js';
import { manageContract } from '../../platform/contract/contract.js';
import { OPERATIONS, type Operation } from '../manage/operations.js';

const namesOf = (names: readonly string[]): string => LIST.format(names.map((name) => `\`${name}\``));

/** Turns a description, which the command shows as it is, into a sentence. */
const sentenceOf = (text: string): string => capitalized(text) + (/\w$|["`)]$/.test(text) ? '.' : '');

function sectionOf({ method, path, summary, description, area, right, parameters, fields }: Operation): string {
  const rows = Object.entries(parameters).map(([name, { required, place, description: text = '' }]) => {
    const meaning = sentenceOf(text).replaceAll('|', '\\|').replaceAll('*', '\\*');
    return `| \`${name}\`${required ? ', required' : ''} | ${place} | ${meaning} |`;
  });
  const table = rows.length > 0 ? ['| parameter | in | meaning |', '|---|---|---|', ...rows].join('\n') : '';
  const request = `\`${method} /api/v1/manage${path}\` requires the right \`${area}:${right}\`.`;
  return [`## ${summary}`, request, description, table, `The reply contains ${namesOf(fields)}.`].join('\n\n');
}

export const MANAGE_MARKDOWN = `# Management API

${manageContract.info.description}

API clients can import the [OpenAPI description](/manage.json). It contains the types of all fields.

${OPERATIONS.map(sectionOf).join('\n\n')}
`;
