// Two nodes on one database, of which one or both do what is due later: what was queued at the one is done by the other, and once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as users from '#contract/users.ts'
import type { Node } from '#server/node.ts'
import { openBeside } from '#test/beside.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailServer } from '#test/mail-server.ts'

const patience = { timeout: 120_000 }
const invitations = 12

let foyer: TestFoyer
let editor: Person
const closing: (() => Promise<void>)[] = []
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api,guest,radius' } })
  editor = await foyer.customer()
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
  await foyer?.close()
})

/** A node that does what is due, and its own mail server: each mail to it waits for `taken`. */
async function openWorker(taken: (to: string) => Promise<void> = () => Promise.resolve()) {
  const mails: string[] = []
  const smtp = await openMailServer(async ({ to: [to = ''] }) => {
    mails.push(to)
    await taken(to)
  })
  closing.push(() => smtp.close())
  const node: Node = await openBeside(foyer, { ROLES: 'jobs', SMTP_URL: smtp.url })
  closing.push(() => node.close())
  return { mails }
}
const invite = () =>
  Promise.all(
    Array.from({ length: invitations }, async () => {
      const email = `${unique('colleague').replaceAll(' ', '.')}@example.com`
      await foyer.get(users.invite, { name: unique('Colleague'), email, user_type_id: 1 }, editor)
      return email
    }),
  )
const left = async () => (await foyer.query(`select from due_work where kind = 'mail'`, [])).length

/** Other mails are about the customer's own sign-up. */
const invited = (mails: readonly string[]) => mails.filter((to) => to.startsWith('colleague.')).toSorted()

test('what is queued at a node that does no work is done by another, and once by two of them', patience, async () => {
  const first_ones = await invite()
  expect(await left()).toBeGreaterThanOrEqual(invitations)
  // Later neither goes on until the other has begun, so that both have some of it.
  const begins = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() }
  let isAlone = true
  const first = await openWorker(async () => {
    if (isAlone) return
    begins.first.resolve()
    await begins.second.promise
  })
  await expect.poll(left, patience).toBe(0)
  expect(invited(first.mails)).toEqual(first_ones.toSorted())

  isAlone = false
  first.mails.length = 0
  const others = await invite()
  const second = await openWorker(async () => {
    begins.second.resolve()
    await begins.first.promise
  })
  await expect.poll(left, patience).toBe(0)
  expect(invited([...first.mails, ...second.mails])).toEqual(others.toSorted())
  expect(Math.min(first.mails.length, second.mails.length)).toBeGreaterThan(0)
})
