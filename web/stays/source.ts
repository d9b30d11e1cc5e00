// Source: where a stay comes from, in a few words.
import type { Output } from '#contract/endpoint.ts'
import type { getStay } from '#contract/stays.ts'

interface Told {
  source: Output<typeof getStay>['source']
  told_by: string | null
}

/** `from OPERA`, `by hand`, `from a list`. */
export function sourceOf({ source, told_by }: Told): string {
  if (source === 'system') return `from ${told_by ?? 'the property’s system'}`
  return source === 'import' ? 'from a list' : 'by hand'
}
