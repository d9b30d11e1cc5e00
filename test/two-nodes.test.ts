// Two nodes on one database: a withdrawn right is effective on both with the next request. What guests and gateways notice of two nodes
// is in two-nodes-guests.test.ts, and what is done later in two-nodes-work.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as apiKeys from '#contract/api-keys.ts'
import * as own from '#contract/own-sign-in.ts'
import * as packages from '#contract/packages.ts'
import * as auth from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import { refusals } from '#contract/errors.ts'
import type { Node } from '#server/node.ts'
import { forbidden } from '#server/errors/refused.ts'
import { openBeside } from '#test/beside.ts'
import { openFoyer, password, unique, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let second: Node
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  // Without jobs, which send the mails that are read here while they wait.
  second = await openBeside(foyer, { ROLES: 'api,guest,radius' })
  editor = await foyer.customer()
})
afterAll(async () => {
  await second?.close()
  await foyer?.close()
})

const nodes = () => [foyer.app, second.app]
const postTo = (
  node: Node['app'],
  url: string,
  who: Asker,
  payload: object = {},
  headers: Record<string, string> = {},
) =>
  node.inject({
    method: 'POST',
    url: `/api/v1${url}`,
    headers: { authorization: `Bearer ${who.token}`, 'app-context': who.context, ...headers },
    payload,
  })
const onBoth = async (who: Asker) => Promise.all(nodes().map((node) => postTo(node, packages.list.path, who)))
const expectIn = async (who: Asker) => {
  for (const { statusCode } of await onBoth(who)) expect(statusCode).toBe(200)
}
const expectOut = async (who: Asker) => {
  for (const answer of await onBoth(who)) expectRefused(answer, refusals.unauthenticated)
}

describe('with the next request on either node', () => {
  test('a downgraded user can no longer write', async () => {
    const who = await foyer.invited(editor)
    const write = (node: Node['app']) => postTo(node, packages.create.path, who, { name: unique('Package') })
    for (const { statusCode } of await Promise.all(nodes().map(write))) expect(statusCode).toBe(201)
    await foyer.get(users.update, { id: who.user.id, user_type_id: 1 }, editor)
    for (const answer of await Promise.all(nodes().map(write))) expectRefused(answer, forbidden())
  })

  test.each<[string, (who: Person) => Promise<unknown>]>([
    ['disabled', (who) => foyer.get(users.deactivate, { ids: [who.user.id] }, editor)],
    ['removed', (who) => foyer.get(users.remove, { id: who.user.id }, editor)],
    ['signed out everywhere', (who) => foyer.get(auth.logout, {}, who)],
    [
      'given another password by a reset',
      async (who) => {
        await foyer.get(auth.forgotPassword, { email: who.user.email })
        const token = foyer.tokenIn(await foyer.mailTo(who.user.email))
        await foyer.get(auth.resetPassword, { token, password: 'another long password' })
      },
    ],
  ])('a user who is %s is not signed in', async (_what, take) => {
    const who = await foyer.invited(editor)
    await expectIn(who)
    await take(who)
    await expectOut(who)
  })

  test('a session that its owner ends is no longer valid', async () => {
    const who = await foyer.invited(editor)
    const { data } = await foyer.get(auth.login, { email: who.user.email, password })
    const here = foyer.signedIn(data)
    const { data: all } = await foyer.get(own.list, {}, here)
    for (const { session } of all.filter(({ current }) => !current)) await foyer.get(own.end, { session }, here)
    await expectOut(who)
    await expectIn(here)
  })

  test('a deleted key is no longer valid', async () => {
    const key = await foyer.apiKey(editor)
    await expectIn(key.program)
    await foyer.get(apiKeys.removeOfUser, { id: key.id }, editor)
    await expectOut(key.program)
  })
})
