// Known days: a country's public holidays of a year, computed once in a separate process and cached.
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { atOnce, Turns } from '#server/turns/turns.ts'
import { confined, scriptBeside, type Caps } from '#server/turns/confined.ts'
import type { PublicDays } from './public-days.ts'

/** Measured: loading the library and computing one year take 0.6 s of one core and 60 MB. */
const caps: Caps = { heap_mb: 192, data_mb: 1024, cpu_s: 15 }
const remembered_max = 500
const remembered = new Map<string, PublicDays>()
const computing = new Turns(atOnce(1))

export interface Wanted {
  /** ISO 3166-1, two letters. */
  country: string
  /** A code of the answer's regions. */
  region: string | null
  year: number
}

/** Empty where the country is not known. A node computes one at a time; parties take turns. */
export async function knownDays(party: string, { country, region, year }: Wanted): Promise<PublicDays> {
  const key = `${country} ${region ?? ''} ${year}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  using _turn = await computing.take(party)
  const script = scriptBeside(import.meta.dirname, 'public-days')
  // The script needs no input, so it is given its own source.
  const work = { script, args: [country, region ?? '', String(year)], input: script, caps }
  let days: PublicDays = { regions: [], days: [] }
  for await (const json of confined(work, outputOf)) days = JSON.parse(json) as PublicDays
  if (remembered.size >= remembered_max) remembered.clear()
  remembered.set(key, days)
  return days
}

async function* outputOf(output: Readable): AsyncGenerator<string> {
  yield await text(output)
}
