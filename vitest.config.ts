// Which tests there are: `unit` needs nothing; `sweeps` and `http` work on the PostgreSQL that global-setup starts.

import { defineConfig } from 'vitest/config'

const shared = { testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    // A run that cannot end is worse than one that ends badly.
    teardownTimeout: 20_000,
    projects: [
      { test: { ...shared, name: 'unit', include: ['{contract,portal,web,scripts}/**/*.test.{ts,tsx}'] } },
      { test: { ...shared, name: 'sweeps', include: ['test/sweeps/*.test.ts'] } },
      { test: { ...shared, name: 'http', include: ['server/**/*.test.ts', 'test/*.test.ts'] } },
    ],
  },
})
