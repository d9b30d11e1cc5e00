// Two nodes on one database: a withdrawn right is effective on both with the next request. What guests and gateways notice of two nodes
// is in two-nodes-guests.test.ts, and what is done later in two-nodes-work.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as apiKeys from '#contract/api-keys.ts'
import * as own from '#contract/own-sign-in.ts'
import * as packages from '#contract/packages.ts'
import * as auth from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import type { Node } from '#server/node.ts'
import { openBeside } from '#test/beside.ts'
import { openFoyer, password, unique, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'

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
const onBoth = async (who: Asker, url = packages.list.path) =>
  Promise.all(nodes().map(async (node) => (await postTo(node, url, who)).statusCode))

describe('with the next request on either node', () => {
  test('a downgraded user can no longer write', async () => {
    const who = await foyer.invited(editor)
    const write = async (node: Node['app']) =>
      (await postTo(node, packages.create.path, who, { name: unique('Package') })).statusCode
    expect(await Promise.all(nodes().map(write))).toEqual([201, 201])
    await foyer.get(users.update, { id: who.user.id, user_type_id: 1 }, editor)
    expect(await Promise.all(nodes().map(write))).toEqual([403, 403])
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
    expect(await onBoth(who)).toEqual([200, 200])
    await take(who)
    expect(await onBoth(who)).toEqual([401, 401])
  })

  test('a session that its owner ends is no longer valid', async () => {
    const who = await foyer.invited(editor)
    const { data } = await foyer.get(auth.login, { email: who.user.email, password })
    const here = foyer.signedIn(data)
    const { data: all } = await foyer.get(own.list, {}, here)
    for (const { session } of all.filter(({ current }) => !current)) await foyer.get(own.end, { session }, here)
    expect(await onBoth(who)).toEqual([401, 401])
    expect(await onBoth(here)).toEqual([200, 200])
  })

  test('a deleted key is no longer valid', async () => {
    const key = await foyer.apiKey(editor)
    expect(await onBoth(key.program)).toEqual([200, 200])
    await foyer.get(apiKeys.removeOfUser, { id: key.id }, editor)
    expect(await onBoth(key.program)).toEqual([401, 401])
  })
})
