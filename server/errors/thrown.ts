// Thrown: what was thrown, in words. Anything can be thrown, and whatever handles an error must not throw another one over it.

/** Never throws. */
export function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return `something without words (${typeof thrown})`
  }
}
