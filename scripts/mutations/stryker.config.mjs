// Stryker, which changes a copy of the sources, one place at a time. Modules and tests are chosen by scripts/mutations.mjs.

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
  // Generous, as everything is slower on a loaded machine; only a hang takes this long.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 30,
  // Stryker would rewrite its paths with the API of an older TypeScript, which is not needed here.
  tsconfigFile: 'none',
}
