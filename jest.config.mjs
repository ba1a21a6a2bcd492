/** Tests run on TypeScript as it stands, in the module form that the service itself has. */
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
    // Its ESM form imports JSON, which jest warns about.
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

/** What must hold on both ways of running: the same files run twice. */
const BOTH_WAYS = [
  '<rootDir>/test/api/**/*.test.ts',
  '<rootDir>/test/dashboard/**/*.test.ts',
  '<rootDir>/test/security/parallel.test.ts',
];
const SCALED_ONLY = '<rootDir>/test/scaled/**/*.test.ts';
const N8N = '<rootDir>/test/clients/n8n/**/*.test.ts';

// `npm run test:zapier` asks for the test that installs Zapier's own command first.
export default {
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      displayName: 'embedded',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/test/scaled/',
        '/test/clients/n8n/',
        ...(process.env.ZAPIER_CLI ? [] : ['zapier-cli']),
      ],
    },
    {
      ...common,
      displayName: 'n8n',
      testMatch: [N8N],
      // Installs n8n's engine and tools when they are missing, and builds n8n-nodes.
      globalSetup: '<rootDir>/test/clients/n8n/setup.mjs',
    },
    {
      ...common,
      displayName: 'scaled',
      testMatch: [...BOTH_WAYS, SCALED_ONLY],
      globals: { PASSBELL_SCALED: true },
      // Finds or starts MySQL and Redis.
      globalSetup: '<rootDir>/test/support/servers/setup.mjs',
      globalTeardown: '<rootDir>/test/support/servers/teardown.mjs',
    },
  ],
};
