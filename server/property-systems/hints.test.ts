// Hints: what a system in the cloud posts has it asked before its turn, and neither sooner nor more often than it lets itself be asked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pollingWork } from '#server/property-systems/polling.ts'
import { tellMoveIns } from '#server/resources/guest-help/move-ins.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMews } from './mews/simulation.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api,guest' } })
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

describe('a hint', () => {
  let id: number
  let hook_url: string
  let answers: SafeFetch
  beforeEach(async () => {
    const { id: property_id } = await foyer.property(editor)
    ;({ id, hook_url } = await foyer.propertyInterface(editor, {
      property_interface_type_id: 3,
      owner_type: 'Property',
      owner_id: property_id,
      settings: { client_token: 'CLIENT', access_token: 'ACCESS-MUC' },
    }))
    const mews = openMews()
    answers = (url, { method = 'GET', headers = {}, body = '' } = {}) =>
      Promise.resolve(mews.answer({ method, url, headers: { ...headers }, body: String(body) }))
  })

  const hint = async () => {
    const answer = await foyer.guest?.inject({ method: 'POST', url: new URL(hook_url).pathname, payload: {} })
    expect(answer?.statusCode).toBe(202)
  }
  const ask = (safeFetch: SafeFetch) =>
    tryDue(
      pollingWork(tellMoveIns),
      { ...foyer.services, safeFetch },
      { customer_id: editor.user.customer.id, about_id: id },
    )
  /** In how many seconds it is asked. */
  const due = async () => {
    const [work] = await foyer.query<{ state: string; in_s: number }>(
      `select state, extract(epoch from next_at - now())::float8 as in_s from due_work
       where kind = 'property_asking' and about_id = $1`,
      [id],
    )
    return work
  }
  const isDown: SafeFetch = () => Promise.resolve({ status: 503, headers: {}, body: Buffer.from('') })
  const fails: SafeFetch = () => Promise.reject(new Error('of ours'))
  const asksToWait: SafeFetch = () =>
    Promise.resolve({ status: 429, headers: { 'retry-after': '1200' }, body: Buffer.from('') })

  test('does not have a system asked sooner that has said when it may be asked again', async () => {
    await ask(asksToWait)
    await hint()
    expect((await due())?.in_s).toBeGreaterThan(1000)
  })

  test('does not have a system asked sooner that could not be asked, also when nobody tries it any more', async () => {
    await ask(isDown)
    await hint()
    expect((await due())?.in_s).toBeGreaterThan(200)
    for (let tries = 0; tries < 10; tries++) await ask(fails)
    expect(await due()).toMatchObject({ state: 'failed' })
    await hint()
    const again = await due()
    expect([again?.state, (again?.in_s ?? 0) > 5]).toEqual(['waiting', true])
    expect(again?.in_s).toBeLessThanOrEqual(10)
  })

  test('that comes while the system is asked has it asked once more, after ten seconds', async () => {
    await ask(answers)
    expect((await due())?.in_s).toBeGreaterThan(30)
    let isHinted = false
    await ask(async (...asked) => {
      const answer = await answers(...asked)
      if (!isHinted) await hint()
      isHinted = true
      return answer
    })
    const { in_s = 0 } = (await due()) ?? {}
    expect([in_s > 0, in_s <= 10]).toEqual([true, true])
    await ask(answers)
    expect((await due())?.in_s).toBeGreaterThan(30)
  })

  test('has it asked at once where it waits for its turn, and the next ones do not put that off', async () => {
    await ask(answers)
    await foyer.query(
      `update property_links set heard_at = heard_at - interval '11 s' where property_interface_id = $1`,
      [id],
    )
    await hint()
    const first = await due()
    expect(first?.in_s).toBeLessThanOrEqual(0)
    await hint()
    expect((await due())?.in_s).toBeLessThanOrEqual(first?.in_s ?? 0)
  })
})
