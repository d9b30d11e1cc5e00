// Proof: how far a long test goes. `npm run proofs` goes all the way, from a new seed; `npm test` tries a sample, the same one
// unless SEED is given.

export const full = process.env['PROOFS'] === 'full'

/** How often to repeat what the full proof does `times` times. */
export const share = (times: number): number => (full ? times : Math.ceil(times / 100))

/** All of them, or in `npm test` the first few: those stand first that differ most from each other. */
export const sample = <T>(all: readonly T[], few: number): readonly T[] => (full ? all : all.slice(0, few))

/** One in `every` of them by the seed; all in the whole proof. */
export const oneIn = <T>(every: number, all: readonly T[]): readonly T[] =>
  full ? all : all.filter((_, index) => index % every === seed % every)

/** `SEED=… npm run proofs` repeats a run: whatever is left to chance comes from here. */
export const seed = Number(process.env['SEED'] ?? 1)

/** Numbers from 0 to 1, the same for the same seed (mulberry32); others for each `part` of what goes on at the same time. */
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
