/** Tests run the TypeScript sources directly, as ES modules. */
const common = {
  modulePathIgnorePatterns: [
    '<rootDir>/backend/dist',
    '<rootDir>/zapier-app/dist',
    '<rootDir>/zapier-app/build',
    '<rootDir>/.cache',
  ],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Its ES module imports JSON, which makes jest print a warning.
    '^libphonenumber-js/max$': '<rootDir>/node_modules/libphonenumber-js/max/index.cjs',
  },
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
};

/** Tests that run twice, embedded and scaled. */
const BOTH_MODES = [
  '<rootDir>/test/api/**/*.test.ts',
  '<rootDir>/test/dashboard/**/*.test.ts',
  '<rootDir>/test/security/parallel.test.ts',
];
const SCALED_ONLY = '<rootDir>/test/scaled/**/*.test.ts';
const N8N = ['<rootDir>/test/clients/n8n/**/*.test.ts', '<rootDir>/test/clients/n8n-whole/**/*.test.ts'];

// The tests that install Zapier's CLI or a complete n8n run with `npm run test:zapier` and `npm run test:n8n` only.
export default {
  testTimeout: 30_000,
  // By default, jest leaves one core free.
  maxWorkers: '100%',
  projects: [
    {
      ...common,
      displayName: 'embedded',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/test/scaled/',
        '/test/clients/n8n',
        ...(process.env.ZAPIER_CLI ? [] : ['zapier-cli']),
      ],
    },
    {
      ...common,
      displayName: 'n8n',
      testMatch: N8N,
      testPathIgnorePatterns: ['/node_modules/', ...(process.env.N8N_WHOLE ? [] : ['/test/clients/n8n-whole/'])],
      // Installs n8n's engine and tools if they are missing, and builds n8n-nodes.
      globalSetup: '<rootDir>/test/clients/n8n/setup.mjs',
    },
    {
      ...common,
      displayName: 'scaled',
      testMatch: [...BOTH_MODES, SCALED_ONLY],
      globals: { PASSBELL_SCALED: true },
      // Finds or starts MySQL and Redis.
      globalSetup: '<rootDir>/test/support/servers/setup.mjs',
      globalTeardown: '<rootDir>/test/support/servers/teardown.mjs',
    },
  ],
};
