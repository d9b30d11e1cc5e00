// Users, as callers use them: invitations, permissions, and the rule that keeps a customer from locking itself out.
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as auth from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import { refusals, selectedInvalid } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { linkUsedUp } from '#server/resources/auth/address-confirmation.ts'
import { aProperty, entered, openFoyer, password, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused, expectRefusedBut } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
})
beforeEach(async () => void (await admin.query('delete from rate_limits')))
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const address = () => `${unique('ann').replaceAll(' ', '.')}@example.com`
const linkTo = async (email: string) => foyer.tokenIn(await foyer.mailTo(email))
const accept = (token: string, given = password, name?: string) =>
  foyer.ask(auth.acceptInvitation, { token, password: given, name }, null)

test('those of a removed property or group stay listed, and are marked', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const property = await foyer.property(editor)
  const email = address()
  const owner = { owner_type: 'properties', owner_id: property.id } as const
  const { id } = (await foyer.get(users.invite, { email, name: 'Ann', ...owner }, editor)).data
  await foyer.get(users.invite, { email, name: 'Ann', owner_type: 'groups', owner_id: group.id }, editor)
  await foyer.get(properties.remove, { id: property.id }, editor)
  const listed = (await foyer.get(users.list, { searchValue: email }, editor)).data
  expect(listed.map(({ owner_name, owner_removed }) => [owner_name, owner_removed])).toEqual([
    [group.name, false],
    [`${property.name} (property removed)`, true],
  ])
  expect((await foyer.get(users.get, { id }, editor)).data).toMatchObject({
    owner_type: 'Property',
    owner_removed: true,
  })
  await foyer.get(users.remove, { id, owner_type: 'properties', owner_id: property.id }, editor)
})

describe('an invitation', () => {
  test('waits as a draft viewer of the inviter’s owner until it is accepted', async () => {
    const editor = await foyer.customer()
    const email = address()
    const invited = (await foyer.get(users.invite, { email, name: 'Ann' }, editor)).data
    expect(invited).toMatchObject({
      status: 'draft',
      user_type_id: 1,
      owner_type: 'Customer',
      owner_id: editor.user.customer.id,
    })
    const mail = await foyer.mailTo(email)
    expect(mail).toContain('http://foyer.test/customer/reset-password?token=')
    expect(mail).toContain('&invite=1')
    const accepted = await accept(foyer.tokenIn(mail))
    expect(entered(accepted.body.data).user).toMatchObject({ id: invited.id, name: 'Ann', user_type_id: 1 })
    expect((await foyer.get(users.get, { id: invited.id }, editor)).data.status).toBe('active')
  })

  test('is accepted by a whole team from one office within the hour', async () => {
    const editor = await foyer.customer()
    for (let nth = 0; nth < 25; nth++) {
      const email = address()
      await foyer.get(users.invite, { email, name: 'Ann' }, editor)
      expect((await accept(await linkTo(email))).status).toBe(200)
    }
  })

  test('works once, also if it is used twice at once', async () => {
    const editor = await foyer.customer()
    const email = address()
    await foyer.get(users.invite, { email, name: 'Ann' }, editor)
    const token = await linkTo(email)
    const answers = await Promise.all([accept(token), accept(token)])
    expectRefusedBut(1, answers, linkUsedUp())
    expectRefused(await accept(token), linkUsedUp())
  })

  test('works for 7 days; inviting again sends a new link for the same user', async () => {
    const editor = await foyer.customer()
    const email = address()
    const first = (await foyer.get(users.invite, { email, name: 'Ann' }, editor)).data
    const old = await linkTo(email)
    const { rows } = await admin.query<{ days: number }>(
      `select extract(epoch from expires_at - created_at) / 86400 as days from invitations where email = $1`,
      [email],
    )
    expect(Number(rows[0]?.days)).toBeCloseTo(7, 2)
    await admin.query(`update invitations set expires_at = expires_at - interval '7 days' where email = $1`, [email])
    expectRefused(await accept(old), linkUsedUp())

    const again = (await foyer.get(users.invite, { email, name: 'Anna', user_type_id: 2 }, editor)).data
    expect(again).toMatchObject({ id: first.id, name: 'Anna', user_type_id: 2 })
    expect((await accept(await linkTo(email))).status).toBe(200)
    expectRefused(
      await foyer.ask(users.invite, { email, name: 'Ann' }, editor),
      invalid({ email: ['This person already has a user here.'] }),
    )
  })

  test('to somebody who was disabled before they accepted is sent again and works, by every call that invites', async () => {
    const editor = await foyer.customer()
    const email = address()
    const { id } = (await foyer.get(users.invite, { email, name: 'Ann' }, editor)).data
    const [ann, several] = [
      { email, name: 'Ann', user_type_id: 1 },
      { emails: [email], names: ['Ann'], user_type_id: 1 },
    ]
    const calls = [
      () => foyer.ask(users.invite, ann, editor),
      () => foyer.ask(users.create, ann, editor),
      () => foyer.ask(users.inviteTeamMembers, several, editor),
    ]
    for (const [nth, invite] of calls.entries()) {
      const before = await linkTo(email)
      await foyer.get(users.deactivate, { ids: [id] }, editor)
      expectRefused(await accept(before), linkUsedUp())
      expect((await invite()).status, String(nth)).toBeLessThan(300)
      expect(await linkTo(email), String(nth)).not.toBe(before)
    }
    const { data: mine } = await foyer.get(users.update, { id, outage_mails: true }, editor)
    expect(mine).toMatchObject({ status: 'draft', active: true, outage_mails: true })
    expect((await accept(await linkTo(email))).status).toBe(200)
    expect((await foyer.get(users.get, { id }, editor)).data.status).toBe('active')
  })

  test('is invalidated by a newer one', async () => {
    const editor = await foyer.customer()
    const email = address()
    await foyer.get(users.invite, { email, name: 'Ann' }, editor)
    const older = await linkTo(email)
    await foyer.get(users.invite, { email, name: 'Ann' }, editor)
    expectRefused(await accept(older), linkUsedUp())
    expect((await accept(await linkTo(email))).status).toBe(200)
  })

  test.each(['Win at casino.example.com', 'https://evil.example', 'www.evil.example', 'Claim: prize-24.xyz/now'])(
    'is refused with a web address in a name: %s',
    async (name) => {
      const editor = await foyer.customer()
      expectRefused(
        await foyer.ask(users.invite, { email: address(), name }, editor),
        invalid({ name: ['Please leave web addresses out of a name'] }),
      )
      // The names of the places that users are invited to, too.
      expectRefused(
        await foyer.ask(groups.create, { name }, editor),
        invalid({ name: ['Please leave web addresses out of a name'] }),
      )
      expectRefused(
        await foyer.ask(properties.create, { ...aProperty(), name }, editor),
        invalid({ name: ['Please leave web addresses out of a name'] }),
      )
    },
  )

  test.each(['J. R. Smith', 'Ann (ann@example.com)', 'Dr.Jones', 'J.de Vries', 'Müller & Co.'])(
    'takes %s for a name',
    async (name) => {
      const editor = await foyer.customer()
      expect((await foyer.ask(users.invite, { email: address(), name }, editor)).status).toBe(200)
    },
  )

  test('is void when its user is disabled or removed', async () => {
    const editor = await foyer.customer()
    const email = address()
    const { id } = (await foyer.get(users.invite, { email, name: 'Ann' }, editor)).data
    await foyer.get(users.remove, { id }, editor)
    expectRefused(await accept(await linkTo(email)), linkUsedUp())
  })

  test('to a known address is answered as any other, and its link asks for the existing password', async () => {
    const [editor, elsewhere] = [await foyer.customer(), await foyer.customer()]
    const { email } = elsewhere.user
    const known = await foyer.ask(users.invite, { email, name: 'Ann' }, editor)
    const unknown = await foyer.ask(users.invite, { email: address(), name: 'Ann' }, editor)
    expect(known.status).toBe(unknown.status)
    expect(Object.keys(known.body.data)).toEqual(Object.keys(unknown.body.data))
    const token = await linkTo(email)
    expectRefused(
      await accept(token, 'not the password'),
      invalid({ password: ['This is not the password of this address.'] }),
    )
    const accepted = await accept(token)
    expect(entered(accepted.body.data).user.customer.id).toBe(editor.user.customer.id)
    expect(entered(accepted.body.data).users.map((user) => user.customer.id)).toEqual([elsewhere.user.customer.id])
  })

  test('of a new address requires a good password', async () => {
    const editor = await foyer.customer()
    const email = address()
    await foyer.get(users.invite, { email, name: 'Ann' }, editor)
    const token = await linkTo(email)
    expectRefused(await accept(token, 'elevenchars'), invalid({ password: ['Please use at least 12 characters'] }))
    expectRefused(
      await accept(token, 'password1234'),
      invalid({ password: ['This password is too common. Please choose another one.'] }),
    )
    expect((await accept(token)).status).toBe(200)
  })

  test('goes to several at once, each with a name, all or none', async () => {
    const editor = await foyer.customer()
    const emails = [address(), address()]
    expectRefused(
      await foyer.ask(users.inviteTeamMembers, { emails, names: ['Ann'] }, editor),
      invalid({ names: ['Give one name for each e-mail address.'] }),
    )
    const both = await foyer.get(users.inviteTeamMembers, { emails, names: ['Ann', 'Bob'] }, editor)
    expect(both.data.map(({ name, email }) => [name, email])).toEqual([
      ['Ann', emails[0]],
      ['Bob', emails[1]],
    ])
    const third = address()
    const refused = await foyer.ask(
      users.inviteTeamMembers,
      { emails: [third, editor.user.email], names: ['C', 'D'] },
      editor,
    )
    // The one of them is named who has a user already.
    expectRefused(refused, invalid({ 'emails.1': ['This person already has a user here.'] }))
    expect(await foyer.mailTo(third)).toBe('')
  })

  test('keeps a hostile name on one line of the mail', async () => {
    const editor = await foyer.customer()
    const email = address()
    await foyer.get(users.invite, { email, name: 'Ann\r\nBcc: x@example.com\r\n\r\nBuy' }, editor)
    const mail = await foyer.mailTo(email)
    expect(mail.split('\n')[0]).toBe('Hello Ann Bcc: x@example. com Buy,')
  })
})

describe('the owner of a user', () => {
  test('is at or below the inviter’s owner, in any spelling', async () => {
    const editor = await foyer.customer()
    const group = await foyer.group(editor)
    const property = await foyer.property(editor, { group_id: group.id })
    const manager = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
    const desk = await foyer.invited(manager, { owner_type: 'Property', owner_id: property.id })
    const places = {
      customer: [editor.user.customer.id, 'customers'],
      group: [group.id, 'GROUPS'],
      property: [property.id, 'Properties'],
    } as const
    const rank = ['customer', 'group', 'property'] as const
    for (const who of [editor, manager, desk])
      for (const target of rank) {
        const [owner_id, owner_type] = places[target]
        const { status } = await foyer.send(users.invite, { email: address(), name: 'x', owner_type, owner_id }, who)
        const below = rank.indexOf(target) >= rank.indexOf(who.context as typeof target)
        expect(
          below ? status === 201 || status === 200 : status === 403 || status === 422,
          `${who.context} → ${target}: ${status}`,
        ).toBe(true)
      }
  })

  test('never changes, and neither does the address', async () => {
    const editor = await foyer.customer()
    const group = await foyer.group(editor)
    const colleague = await foyer.viewer(editor)
    const sent = {
      id: colleague.user.id,
      owner_type: 'Group',
      owner_id: group.id,
      email: address(),
      login_id: 1,
      group_id: group.id,
    }
    const { status } = await foyer.send(users.update, sent, editor)
    expect([200, 422]).toContain(status)
    expect((await foyer.get(users.get, { id: colleague.user.id }, editor)).data).toMatchObject({
      owner_type: 'Customer',
      email: colleague.user.email,
    })
  })

  test('given with the id of a removal decides nothing, but must be right', async () => {
    const editor = await foyer.customer()
    const property = await foyer.property(editor)
    const desk = await foyer.viewer(editor, { owner_type: 'Property', owner_id: property.id })
    const { id } = desk.user
    expectRefused(
      await foyer.ask(users.remove, { id, property_id: property.id + 1 }, editor),
      invalid({ property_id: [selectedInvalid('property_id')] }),
    )
    expectRefused(
      await foyer.ask(users.remove, { id, group_id: property.id }, editor),
      invalid({ group_id: [selectedInvalid('group_id')] }),
    )
    expectRefused(
      await foyer.ask(users.remove, { id, owner_type: 'Customer' }, editor),
      invalid({ owner_type: [selectedInvalid('owner_type')] }),
    )
    const hints = { property_id: property.id, owner_type: 'properties' as never, owner_id: property.id }
    expect((await foyer.get(users.remove, { id, ...hints }, editor)).data).toEqual({ ids: [id] })
  })
})

describe('the last active editor stays', () => {
  const mustStay = 'The last active editor must stay. Make someone else an editor first.'
  const attempts: [string, field: string, (id: number, who: Person) => Promise<{ status: number; body: unknown }>][] = [
    ['a downgrade', 'user_type_id', (id, who) => foyer.ask(users.update, { id, user_type_id: 1 }, who)],
    ['a disabling by update', 'active', (id, who) => foyer.ask(users.update, { id, active: false }, who)],
    ['a disabling', 'ids', (id, who) => foyer.ask(users.deactivate, { ids: [id] }, who)],
    ['a deletion', 'id', (id, who) => foyer.ask(users.remove, { id }, who)],
  ]

  test.each(attempts)('%s is refused', async (_, field, attempt) => {
    const editor = await foyer.customer()
    await foyer.viewer(editor)
    const group = await foyer.group(editor)
    await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
    await foyer.get(users.invite, { email: address(), name: 'Not yet', user_type_id: 2 }, editor)
    expectRefused(await attempt(editor.user.id, editor), invalid({ [field]: [mustStay] }))
    expect((await foyer.get(users.get, { id: editor.user.id }, editor)).data).toMatchObject({
      status: 'active',
      user_type_id: 2,
    })
    const second = await foyer.invited(editor)
    expect((await attempt(editor.user.id, second)).status).toBe(200)
  })

  test.each(attempts)('%s of each other at the same time: one stays', async (_, field, attempt) => {
    for (let round = 0; round < 3; round++) {
      await admin.query('delete from rate_limits')
      const one = await foyer.customer()
      const two = await foyer.invited(one)
      const answers = await Promise.all([attempt(two.user.id, one), attempt(one.user.id, two)])
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
      // The other found no editor left, or was no editor any more itself.
      const [refused] = answers.filter((answer) => answer.status !== 200)
      const reasons = [refusals.unauthenticated, refusals.forbidden, invalid({ [field]: [mustStay] })]
      const reason = reasons.find(({ status }) => status === refused?.status)
      if (!refused || !reason) throw new Error(`refused for another reason: ${refused?.status}`)
      expectRefused(refused, reason)
    }
  })
})

test("a property's editor invites people of the property, and changes nobody", async () => {
  const editor = await foyer.customer()
  const property = await foyer.property(editor)
  const mine = { owner_type: 'Property', owner_id: property.id } as const
  const [head, other] = [await foyer.invited(editor, mine), await foyer.invited(editor, mine)]
  const { data } = await foyer.get(users.invite, { email: address(), name: 'Ann', user_type_id: 3 }, head)
  expect(data).toMatchObject({ ...mine, user_type_id: 3, status: 'draft' })
  const { id } = other.user
  const attempts = [
    foyer.ask(users.update, { id, user_type_id: 1 }, head),
    foyer.ask(users.deactivate, { ids: [id] }, head),
    foyer.ask(users.activate, { id }, head),
    foyer.ask(users.remove, { id }, head),
  ]
  for (const answer of await Promise.all(attempts)) expectRefused(answer, forbidden())
})

test('users of a group change those of the group and of its properties, in its own context', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const property = await foyer.property(editor, { group_id: group.id })
  const head = await foyer.invited(editor, { owner_type: 'GROUP', owner_id: group.id })
  const below = await foyer.viewer(head, { owner_type: 'properties', owner_id: property.id })
  const changed = await foyer.get(users.update, { id: below.user.id, user_type_id: 3 }, head)
  expect(changed.data).toMatchObject({ user_type_id: 3, owner_type: 'Property', owner_id: property.id })
  expectRefused(await foyer.ask(users.update, { id: editor.user.id, user_type_id: 1 }, head), notFound())
  const listed = (await foyer.get(users.list, {}, head)).data.map(({ id }) => id)
  expect(listed.toSorted((one, two) => one - two)).toEqual([head.user.id, below.user.id])
})

test('the role decides, never the name of the user type', async () => {
  const editor = await foyer.customer()
  const desk = await foyer.invited(editor, { user_type_id: 3 })
  await admin.query(`update user_types set name = 'Chief editor' where id = 3`)
  try {
    expectRefused(await foyer.ask(properties.create, { name: 'Theirs', draft: true }, desk), forbidden())
    expectRefused(await foyer.ask(users.list, {}, desk), forbidden())
    expect((await foyer.ask(properties.list, {}, desk)).status).toBe(200)
  } finally {
    await admin.query(`update user_types set name = 'Front desk (viewer)' where id = 3`)
  }
})

describe('a change of permission', () => {
  test('is logged as such', async () => {
    const editor = await foyer.customer()
    const colleague = await foyer.viewer(editor)
    await foyer.get(users.update, { id: colleague.user.id, user_type_id: 2 }, editor)
    const log = await foyer.get(activity.list, { filters: { action: 'permission' } }, editor)
    expect(log.data[0]).toMatchObject({
      object_id: colleague.user.id,
      before: { user_type_id: 1 },
      after: { user_type_id: 2 },
    })
  })
})
