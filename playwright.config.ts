// The journeys: a person's way through the built product, in the Chromium that `npm test` has found.

import { defineConfig } from '@playwright/test'

/** Chromium does not start under libfaketime: a journey sets the clock of its pages itself (test/journeys/fixtures.ts). */
const { LD_PRELOAD: _, FAKETIME: _set, ...environment } = process.env

export default defineConfig({
  testDir: 'test/journeys',
  // Of `npm test` (scripts/shards.mjs).
  testIgnore: process.env.LEFT_OUT?.split(',').map((file) => `**/${file}`) ?? [],
  outputDir: 'test-results',
  workers: 3,
  // As for the other tests: only what hangs takes this long.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // A busy machine may miss a moment. A journey that needs its second try is listed as flaky, to be looked into.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json']],
  use: {
    viewport: { width: 1440, height: 900 },
    // Nothing is measured half faded in.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A journey that is tried a second time is written down step by step; all of them would take much longer.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROME,
      // The packaged Chromium brings the libraries that a bare system lacks.
      env: { ...environment, ...(process.env.CHROME_LIBRARIES && { LD_LIBRARY_PATH: process.env.CHROME_LIBRARIES }) },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
