// Source: where a stay comes from, in a few words.
import type { Output } from '#contract/endpoint.ts'
import type { getStay } from '#contract/stays.ts'
import { say } from '#web/words/desk.ts'

interface Told {
  source: Output<typeof getStay>['source']
  told_by: string | null
}

/** `from OPERA`, `by hand`, `from a list`. */
export function sourceOf({ source, told_by }: Told): string {
  if (source === 'system') return told_by === null ? say('source.some-system') : say('source.system', { name: told_by })
  return say(`source.${source}`)
}
