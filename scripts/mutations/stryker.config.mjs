// Stryker, which changes a copy of the sources, one place at a time. Which modules and tests: scripts/mutations.mjs.

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutations/vitest.config.ts', related: false, pool: 'forks' },
  mutate: process.env['MUTATIONS_OF']?.split(' ') ?? [],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: process.env['MUTATIONS_REPORT'] },
  thresholds: { high: 100, low: 95, break: 95 },
  tempDirName: '.cache/stryker',
  // Beside other work everything takes longer; only what hangs takes this long.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 30,
  // Stryker would rewrite its paths by the API of an older TypeScript; nothing here needs them rewritten.
  tsconfigFile: 'none',
}
