// The tests that `npm run mutations` runs against the mutants, on one PostgreSQL for the whole run.

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    include: process.env['MUTATIONS_TESTS']?.split(' ') ?? [],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    teardownTimeout: 20_000,
  },
})
