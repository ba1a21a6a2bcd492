import { availableParallelism } from 'node:os';

/**
 * Tests run the TypeScript sources directly, in plain Node.js processes without jest's virtual environments. Test files
 * share loaded modules, which halves the time of a run.
 */
const common = {
  runner: '<rootDir>/scripts/test-runner.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/hang-guard.ts'],
  // jest itself loads only the files of `globalSetup`, which are JavaScript.
  transform: {},
  // For --onlyChanged and --changedSince, which follow imports.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: [
    '<rootDir>/backend/dist',
    '<rootDir>/zapier-app/dist',
    '<rootDir>/zapier-app/build',
    '<rootDir>/clients/node/dist',
    // Has the same name as the root package, which jest warns about.
    '<rootDir>/clients/node/package.json',
    '<rootDir>/.cache',
  ],
};

/** Tests that run twice, embedded and scaled. */
const BOTH_MODES = [
  '<rootDir>/test/api/**/*.test.ts',
  '<rootDir>/test/dashboard/**/*.test.ts',
  '<rootDir>/test/faults/gateway-chaos.test.ts',
  '<rootDir>/test/manage/applications.test.ts',
  '<rootDir>/test/security/{account-ceilings,guessing,management-walk,*-fairness,notifications,parallel}.test.ts',
];
/** Tests in these folders that run embedded only. The reasons are in docs/decisions/tests.md. */
const EMBEDDED_ONLY = [
  '/test/api/(authentication|channel-fallback|envelope|failover|gateway-failover|notifications-order|send-otp-parameters)\\.test',
  '/test/dashboard/(first-run|fraud-settings|rights)\\.test',
];
const SCALED_ONLY = '<rootDir>/test/scaled/**/*.test.ts';
const N8N = ['<rootDir>/test/clients/n8n/**/*.test.ts', '<rootDir>/test/clients/n8n-whole/**/*.test.ts'];

// The tests that install Zapier's CLI, a complete n8n, a complete Node-RED or Next.js run with `npm run test:zapier`,
// `test:n8n`, `test:node-red` and `test:examples` only.
export default {
  // More workers than cores, because tests also wait for retries, time limits and processes.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  projects: [
    {
      ...common,
      displayName: 'embedded',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/test/scaled/',
        '/test/clients/n8n',
        '/test/clients/node/',
        '/test/examples/',
        ...(process.env.ZAPIER_CLI ? [] : ['zapier-cli']),
        ...(process.env.NODE_RED ? [] : ['node-red/whole']),
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
      displayName: 'node',
      testMatch: ['<rootDir>/test/clients/node/**/*.test.ts', '<rootDir>/test/examples/**/*.test.ts'],
      // Installs the tools and the packed client.
      globalSetup: '<rootDir>/test/clients/node/setup.mjs',
    },
    {
      ...common,
      displayName: 'scaled',
      testMatch: [...BOTH_MODES, SCALED_ONLY],
      // A group of Redis servers needs the programs of Redis on this machine.
      testPathIgnorePatterns: ['/node_modules/', ...EMBEDDED_ONLY, ...(process.env.TEST_REDIS ? [] : ['redis-groups'])],
      setupFiles: ['<rootDir>/test/support/scaled.ts'],
      // Finds or starts MySQL and Redis.
      globalSetup: '<rootDir>/test/support/servers/setup.mjs',
      globalTeardown: '<rootDir>/test/support/servers/teardown.mjs',
    },
  ],
};
