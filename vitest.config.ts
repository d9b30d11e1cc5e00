// Which tests there are: `unit` needs nothing; the others work on the PostgreSQL that global-setup starts. `sweeps` go over
// every call of the contract, `kinds` are about kinds that no release has, `http` tests about one thing each, `proofs` are long (see
// test/proofs/proof.ts). Of the long ones `npm test` leaves some out (scripts/shards.mjs).

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** So long each that whoever begins one last leaves the other workers without work. */
const long = /test\/(demo|rotation)\.test\.ts$/

/** The long ones first: sweeps and proofs, which have processes of their own, then whole programs. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ project, moduleId }: TestSpecification) =>
      ['sweeps', 'kinds', 'proofs'].includes(project.name) ? 0 : long.test(moduleId) ? 1 : 2
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

// Beside other work everything takes longer; only what hangs takes this long.
const shared = {
  testTimeout: 180_000,
  hookTimeout: 240_000,
  // A busy machine may miss a moment. What needs its second try in the gate is listed at its end, to be looked into.
  retry: process.env.CI ? 1 : 0,
  exclude: process.env.LEFT_OUT?.split(',') ?? [],
}

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    maxWorkers: 4,
    maxConcurrency: 2,
    sequence: { sequencer: LongFirst },
    // A run that cannot end is worse than one that ends badly.
    teardownTimeout: 20_000,
    // Where files share a process, what all of them import is read once: else that takes longer than the tests themselves. Each
    // puts back what it changes of the process.
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          isolate: false,
          include: ['{contract,catalogue,portal,web,scripts}/**/*.test.{ts,tsx}'],
        },
      },
      { test: { ...shared, name: 'sweeps', include: ['test/sweeps/*.test.ts'] } },
      // What is added to a list is there before anything reads it.
      { test: { ...shared, name: 'kinds', include: ['test/invented-kinds/*.test.ts'] } },
      { test: { ...shared, name: 'http', isolate: false, include: ['server/**/*.test.ts', 'test/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'proofs',
          include: ['test/proofs/**/*.test.ts'],
        },
      },
    ],
  },
})
