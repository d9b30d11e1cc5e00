// Thrown: what was thrown, in words and by its code. Anything can be thrown, and whoever handles an error must not throw one over it.

/** Never throws. */
export function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return `something without words (${typeof thrown})`
  }
}

/** What it was thrown over, or itself. */
export function underlying(thrown: unknown): unknown {
  const { cause = thrown } = Object(thrown) as { cause?: unknown }
  return cause
}

/** Whether it is one of these errors of the operating system, such as `ENOENT`. */
export const hasCode = (thrown: unknown, ...codes: readonly string[]): boolean =>
  thrown instanceof Error && 'code' in thrown && codes.some((code) => code === thrown.code)
