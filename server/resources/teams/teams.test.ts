// Teams, as callers use them: their owners, their members, and what an invitation into one gives.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as teams from '#contract/teams.ts'
import * as users from '#contract/users.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

const address = () => `${unique('ann').replaceAll(' ', '.')}@example.com`
const read = async (id: number, who: Person) => (await foyer.get(teams.get, { id }, who)).data

/** A customer with a group, a property in it, and an editor of each. */
async function place() {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const property = await foyer.property(editor, { group_id: group.id })
  const manager = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
  const host = await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id })
  return { editor, group, property, manager, host }
}

describe('a team', () => {
  test('belongs to the owner of its creator unless another is named, and lists its users', async () => {
    const { editor, group, property, manager } = await place()
    const ann = await foyer.viewer(editor)
    const own = await foyer.team(editor, { name: 'Reception', user_ids: [editor.user.id, ann.user.id] })
    expect(own).toMatchObject({
      owner_type: 'Customer',
      owner_id: editor.user.customer.id,
      user_type: { id: 1, name: 'Viewer' },
      user_ids: [editor.user.id, ann.user.id].toSorted((a, b) => a - b),
      number_of_users: 2,
      status: 'active',
    })
    expect(own.users_string.split(', ').toSorted()).toEqual([ann.user.name, editor.user.name].toSorted())
    expect(await foyer.team(manager)).toMatchObject({ owner_type: 'Group', owner_name: group.name })
    const ofProperty = { owner_type: 'properties', owner_id: property.id } as const
    expect(await foyer.team(manager, ofProperty)).toMatchObject({ owner_type: 'Property', owner_name: property.name })
    expect((await foyer.get(teams.list, { searchValue: 'recep' }, editor)).data.map(({ id }) => id)).toEqual([own.id])
    expect((await foyer.get(teams.list, { params: { property_id: property.id } }, editor)).data).toHaveLength(1)
  })

  test('is visible to its owner and above, and cannot be made by anybody below', async () => {
    const { editor, group, manager, host } = await place()
    const ofCustomer = await foyer.team(editor)
    const ofGroup = await foyer.team(manager)
    expect((await foyer.get(teams.list, {}, manager)).data.map(({ id }) => id)).toEqual([ofGroup.id])
    expect((await foyer.get(teams.list, {}, editor)).data.map(({ id }) => id)).toEqual([ofGroup.id, ofCustomer.id])
    expect((await foyer.get(teams.list, {}, host)).data).toEqual([])
    expectRefused(await foyer.ask(teams.create, { name: 'Desk' }, host), forbidden())
    const above = { name: 'Above', owner_type: 'Customer', owner_id: editor.user.customer.id } as const
    expectRefused(await foyer.ask(teams.create, above, manager), forbidden())
    const other = await foyer.group(editor)
    const sibling = { name: 'Sibling', owner_type: 'Group', owner_id: other.id } as const
    expectRefused(await foyer.ask(teams.create, sibling, manager), invalid({ owner_id: [selectedInvalid('owner_id')] }))
    expect(await read(ofGroup.id, editor)).toMatchObject({ owner_id: group.id })
  })

  test('has only users of its own owner, and offers no others', async () => {
    const { editor, manager, host } = await place()
    const { id } = await foyer.team(manager)
    for (const outsider of [editor, host])
      expectRefused(
        await foyer.ask(teams.update, { id, user_ids: [outsider.user.id] }, editor),
        invalid({ user_ids: ['A team can only hold people of its own owner.'] }),
      )
    const asked = { params: { team_id: id }, shouldExclude: true }
    expect((await foyer.get(users.list, asked, editor)).data.map((user) => user.id)).toEqual([manager.user.id])
    await foyer.get(teams.update, { id, user_ids: [manager.user.id] }, editor)
    expect((await foyer.get(users.list, asked, editor)).data).toEqual([])
    expect((await foyer.get(users.list, { params: { team_id: id } }, editor)).data).toHaveLength(1)
  })

  test('changes nobody’s permission, whatever its user type', async () => {
    const editor = await foyer.customer()
    const ann = await foyer.viewer(editor)
    await foyer.team(editor, { user_type_id: 2, user_ids: [ann.user.id] })
    expect((await foyer.get(users.get, { id: ann.user.id }, editor)).data.user_type_id).toBe(1)
    expectRefused(await foyer.ask(teams.create, { name: 'Hers' }, ann), forbidden())
  })

  test('is disabled and enabled, singly and several at once, and removed without its users', async () => {
    const editor = await foyer.customer()
    const { id } = await foyer.team(editor, { user_ids: [editor.user.id] })
    const toggled = async () => (await foyer.get(teams.toggle, { id }, editor)).data.status
    expect([await toggled(), await toggled()]).toEqual(['disabled', 'active'])
    await foyer.get(teams.deactivate, { ids: [id, (await foyer.team(editor)).id] }, editor)
    expect((await foyer.get(teams.activate, { id }, editor)).data.status).toBe('active')
    await foyer.get(teams.remove, { id }, editor)
    expectRefused(await foyer.ask(teams.get, { id }, editor), notFound())
    expect((await foyer.get(users.get, { id: editor.user.id }, editor)).data.status).toBe('active')
    const { data } = await foyer.get(activity.list, { filters: { object_type: 'teams', object_id: id } }, editor)
    expect(data.map(({ action }) => action)).toEqual([
      'delete',
      'activate',
      'deactivate',
      'activate',
      'deactivate',
      'create',
    ])
  })
})

describe('a user invited into a team', () => {
  const invite = (who: Person, values: object) =>
    foyer.ask(users.inviteTeamMembers, { emails: [address()], names: ['Ann'], ...values }, who)

  test('receives its user type and belongs to its owner', async () => {
    const { editor, group, manager } = await place()
    const { id } = await foyer.team(manager, { user_type_id: 2 })
    const emails = [address(), address()]
    const both = await invite(editor, { emails, names: ['Ann', 'Bob'], team_id: id })
    expect(both.status).toBe(200)
    for (const user of both.body.data)
      expect(user).toMatchObject({ user_type_id: 2, owner_type: 'Group', owner_id: group.id, status: 'draft' })
    expect((await read(id, editor)).user_ids).toEqual(both.body.data.map((user) => user.id))
    // Inviting them again keeps them in it.
    await invite(editor, { emails, names: ['Ann', 'Bob'], team_id: id })
    expect((await read(id, editor)).number_of_users).toBe(2)
  })

  test('is refused another permission, another owner, and a team that is not active', async () => {
    const { editor, property, manager } = await place()
    const { id } = await foyer.team(manager, { user_type_id: 2 })
    expectRefused(
      await invite(editor, { team_id: id, user_type_id: 1 }),
      invalid({ user_type_id: ['People invited into this team get the team’s permission.'] }),
    )
    const elsewhere = { owner_type: 'Property', owner_id: property.id }
    expectRefused(
      await invite(editor, { team_id: id, ...elsewhere }),
      invalid({ team_id: ['This team belongs to another owner.'] }),
    )
    await foyer.get(teams.toggle, { id }, manager)
    expectRefused(
      await invite(editor, { team_id: id }),
      invalid({ team_id: ['People can only be invited into a team that is active.'] }),
    )
    expect((await read(id, editor)).user_ids).toEqual([])
  })

  test('may be invited by an editor of the team’s property', async () => {
    const { editor, property, host } = await place()
    const { id } = await foyer.team(editor, { owner_type: 'Property', owner_id: property.id, user_type_id: 3 })
    const answer = await invite(host, { team_id: id })
    expect(answer.body.data).toMatchObject([{ user_type_id: 3, owner_type: 'Property', owner_id: property.id }])
    const above = await foyer.team(editor)
    expectRefused(await invite(host, { team_id: above.id }), invalid({ team_id: [selectedInvalid('team_id')] }))
  })

  test('is a viewer of the inviter’s owner if there is no team', async () => {
    const editor = await foyer.customer()
    expect((await invite(editor, {})).body.data).toMatchObject([{ user_type_id: 1, owner_type: 'Customer' }])
  })
})
