import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '**/generated/', 'coverage/', 'data/', '.cache/'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      // See platform/url.ts.
      'no-restricted-properties': ['error', { object: 'URL', property: 'canParse', message: 'Use parseUrl.' }],
      // Counts the functions inside of factories such as `createMessages`, so the limit is high.
      'max-lines-per-function': ['error', { max: 200, skipComments: true, skipBlankLines: true }],
      'max-lines': ['error', { max: 400, skipComments: true, skipBlankLines: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(ObjectExpression > SpreadElement, JSXSpreadAttribute) > ObjectExpression',
          message: 'List the properties instead of spreading an object literal.',
        },
        {
          selector: 'ArrayExpression > SpreadElement > ArrayExpression',
          message: 'List the elements instead of spreading an array literal.',
        },
        {
          selector: 'VariableDeclarator[id.type="ArrayPattern"]:not(:has(RestElement)) > ArrayExpression',
          message: 'Declare each name in a statement of its own.',
        },
      ],
    },
  },
  // A regular expression whose work grows faster than the text blocks the whole process. `potential` also reports
  // expressions whose input may be trusted.
  {
    files: ['backend/**', 'widget/**', 'clients/**', 'n8n-nodes/**', 'zapier-app/**', 'examples/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  // One file describes all tables.
  { files: ['backend/src/platform/db/migrations/0030-baseline.ts'], rules: { 'max-lines': 'off' } },
  // Console messages for the developer of the page.
  { files: ['widget/src/developer.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['**/scripts/**', 'test/**', 'examples/**'],
    rules: { 'no-console': 'off', 'max-lines-per-function': 'off' },
  },
);
