// Sign-in times: neither the answer to a wrong password nor its timing reveals whether an address is known.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as auth from '#contract/auth.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { chance, full } from './proof.ts'
import { chanceOfNoDifference, median } from './statistics.ts'

const samples = full ? 2000 : 10
const logins = full ? 20 : 2
const gap_max_ms = 1
const chance_min = 0.01
const random = chance()

let foyer: TestFoyer
beforeAll(async () => {
  foyer = await openFoyer({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => foyer.close())

let addresses = 0
/** A new client address for each attempt, from 198.18.0.0/15, which is reserved for benchmarks (RFC 2544). */
const newAddress = () => {
  const number = ++addresses
  return `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
}

/** The answer, without what differs in each one, and its time. */
async function tried(email: string) {
  const began = performance.now()
  const answer = await foyer.app.inject({
    method: 'POST',
    url: `/api/v1${auth.login.path}`,
    headers: { 'app-context': 'customer', 'x-forwarded-for': newAddress() },
    payload: { email, password: 'not the password' },
  })
  const ms = performance.now() - began
  const { date: _date, 'x-request-id': _id, ...headers } = answer.headers
  return { ms, content: JSON.stringify([answer.statusCode, headers, answer.body]) }
}

test(
  'a wrong password gets the same answer in the same time, whether the address is known or not',
  { timeout: 3_600_000 },
  async ({ task }) => {
    const kinds = { known: [] as string[], unknown: [] as string[] }
    for (let number = 0; number < logins; number++) {
      kinds.known.push((await foyer.customer()).user.email)
      kinds.unknown.push(`nobody${number}@example.com`)
    }
    const times = { known: [] as number[], unknown: [] as number[] }
    const content = new Set<string>()
    for (let sample = 0; sample < samples; sample++) {
      const both = ['known', 'unknown'] as const
      for (const kind of random() < 0.5 ? both : both.toReversed()) {
        const answer = await tried(kinds[kind][sample % logins] ?? '')
        times[kind].push(answer.ms)
        content.add(answer.content)
      }
    }
    expect([...content]).toEqual([expect.stringContaining('These credentials do not match our records.')])
    // Both requests of a pair are sent right after each other, so that the load of the machine affects both alike.
    const gap_ms = median(times.known.map((ms, sample) => ms - (times.unknown[sample] ?? Number.NaN)))
    const p = chanceOfNoDifference(times.known, times.unknown)
    const [known, unknown] = [times.known, times.unknown].map((all) => median(all).toFixed(2))
    const medians = `medians ${known} ms known and ${unknown} ms unknown, median gap ${gap_ms.toFixed(2)} ms`
    task.meta.figures = `${samples} tries each, one answer; ${medians}, Mann-Whitney p = ${p.toFixed(3)}`
    // The few attempts in `npm test` prove nothing about times.
    if (!full) return
    expect(Math.abs(gap_ms)).toBeLessThan(gap_max_ms)
    expect(p).toBeGreaterThan(chance_min)
  },
)
