// Proof: how much a long test covers. `npm run proofs` runs everything, from a new seed; `npm test` runs a sample, by the seed of its
// commit (scripts/shards.mjs), and what is named a sample by seed 1. SEED sets another one.

export const full = process.env['PROOFS'] === 'full'

/** How often to repeat what the full proof does `times` times. */
export const share = (times: number): number => (full ? times : Math.ceil(times / 100))

/** All of them, or in `npm test` the first few; callers put those first that differ most. */
export const sample = <T>(all: readonly T[], few: number): readonly T[] => (full ? all : all.slice(0, few))

/** One in `every`, selected by the seed; all in the full proof. */
export const oneIn = <T>(every: number, all: readonly T[]): readonly T[] =>
  full ? all : all.filter((_, index) => index % every === seed % every)

/** `SEED=… npm run proofs` repeats a run: all randomness comes from here. */
export const seed = Number(process.env['SEED'] ?? 1)

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). Concurrent parts pass a `part` for their own sequence. */
export function chance(part = 0): () => number {
  let state = seed + Math.imul(part, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

declare module 'vitest' {
  interface TaskMeta {
    /** What the proof counted or measured: `npm run proofs` writes it into docs/proofs.md. */
    figures?: string
  }
}
