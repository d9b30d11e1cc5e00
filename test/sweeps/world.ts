// World: a customer with users of every kind, a sibling group and property, and a neighbour, all with a row in every table.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import * as connections from '#contract/connections.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { TenancyOptions } from '#server/access/tenancy.ts'
import { rightsOfKey } from '#server/access/key-rights.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type Person } from '#test/foyer.ts'
import { openApaleoServer } from '#test/providers/hotel-systems.ts'
import { openOwls } from '#test/providers/owls.ts'
import { openPigeons } from '#test/providers/pigeons.ts'
import { openMailchimp } from '#test/providers/mailchimp.ts'
import { openXero } from '#test/providers/xero.ts'
import { fillTables, type Records } from '#test/records.ts'
import { idOf, type CallInput } from './calls.ts'

/** An id that no record ever gets. */
export const absent_id = 2_000_000_000

/** Tables that all of a customer's users share, including a sibling's rows. */
export const shared = ['accounting_contacts', 'files', 'mac_categories', 'packages', 'portal_footers', 'roles']

const marks = { own: 'Mistletoe', sibling: 'Hollyhock', neighbour: 'Nightjar' }

export type World = Awaited<ReturnType<typeof openWorld>>
export type Insider = keyof World['people']
export type Program = keyof World['programs']

/** @param env further settings of its node */
export async function openWorld(tenancy: TenancyOptions = {}, env: Record<string, string> = {}) {
  const [xero, mailchimp, apaleo] = [await openXero(), await openMailchimp(), await openApaleoServer()]
  const [pigeons, owls] = [await openPigeons(), await openOwls()]
  const foyer = await openFoyer({ tenancy, env: { ...apaleo.env, ...xero.env, ...mailchimp.env, ...owls.env, ...env } })
  const admin = await connect(foyer.database.adminUrl)

  /** A group and a property, and one row of everything that belongs to them. */
  async function settle(
    editor: Person,
    mark: string,
    known: Record<string, number | undefined> = {},
  ): Promise<Records> {
    const customer_id = editor.user.customer.id
    const group = await foyer.group(editor, { name: `${mark} group` })
    const property = await foyer.property(editor, { name: `${mark} property`, address: mark, group_id: group.id })
    const records = await fillTables(admin, {
      customer_id,
      mark,
      known: { ...known, groups: group.id, properties: property.id },
    })
    // The table's own row is of a kind that nobody knows.
    const loft = { ...pigeons.asked, name: `${mark} loft` }
    records.set('connections', (await foyer.get(connections.create, loft, editor)).data.id)
    // The table's own row is a key of the property.
    records.set('api_keys of a user', (await foyer.apiKey(editor, { name: mark })).id)
    records.set('api_keys of a group', (await foyer.apiKey(editor, { name: mark, group_id: group.id })).id)
    return records
  }

  const editor = await foyer.customer()
  const own = await settle(editor, marks.own)
  const sibling = await settle(
    editor,
    marks.sibling,
    Object.fromEntries(shared.map((table) => [table, own.get(table)])),
  )
  const neighbour = await foyer.customer()
  const foreign = await settle(neighbour, marks.neighbour)
  await admin.query(`update customers set name = $2, contact_email = 'nightjar@example.com' where id = $1`, [
    neighbour.user.customer.id,
    `${marks.neighbour} customer`,
  ])

  const ofGroup = { owner_type: 'Group', owner_id: idOf(own, 'groups') } as const
  const ofProperty = { owner_type: 'Property', owner_id: idOf(own, 'properties') } as const
  const people = {
    'customer editor': editor,
    'customer viewer': await foyer.viewer(editor),
    'customer front desk': await foyer.invited(editor, { user_type_id: 3 }),
    'group editor': await foyer.invited(editor, ofGroup),
    'group viewer': await foyer.viewer(editor, ofGroup),
    'group front desk': await foyer.invited(editor, { ...ofGroup, user_type_id: 3 }),
    'property editor': await foyer.invited(editor, ofProperty),
    'property viewer': await foyer.viewer(editor, ofProperty),
    'property front desk': await foyer.invited(editor, { ...ofProperty, user_type_id: 3 }),
  }

  /** A program with a key: its owner, and its permissions. */
  async function program(maker: Person, as: Person, key: Parameters<typeof foyer.apiKey>[1] = {}): Promise<Person> {
    const { program: asker, permissions, property_ids } = await foyer.apiKey(maker, key)
    const { owner_type, owner_id } = as.user
    if (owner_type === 'Package') throw new Error('a package signs nobody in')
    const limits = property_ids.length > 0 ? property_ids : null
    const can = rightsOfKey({ owner: { owner_type, owner_id }, role: 'editor', permissions, property_ids: limits })
    return { ...asker, context: limits ? 'property' : as.context, user: { ...as.user, can } }
  }
  const programs = {
    "an editor's key": await program(editor, editor),
    "an editor's key for one property": await program(editor, editor, { property_ids: [ofProperty.owner_id] }),
    "a group's key": await program(editor, people['group editor'], { group_id: ofGroup.owner_id }),
    "a property's key": await program(editor, people['property editor'], { property_id: ofProperty.owner_id }),
  }

  /** Sends it, and checks that nothing of the neighbour, or of a hidden sibling, appears in the answer. */
  async function send(endpoint: Endpoint, ask: CallInput, who: Person | null, headers: Record<string, string> = {}) {
    const answer = await foyer.send(endpoint, ask, who, headers)
    if (who !== neighbour) expect(answer.text.toLowerCase()).not.toContain(marks.neighbour.toLowerCase())
    if (who && who.context !== 'customer' && tenancy.firstWall !== false)
      expect(answer.text).not.toContain(marks.sibling)
    // Each request has a random id.
    const { date: _date, 'x-request-id': _id, ...others } = answer.headers
    return { status: answer.status, text: answer.text, headers: others }
  }

  const { rows: tables } = await admin.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname = 'public' or n.nspname = 'pgboss' and c.relname like 'job%')
      and c.relname not in ('rate_limits', 'sessions') order by 1`)
  const hashes = tables.map(({ name }) => {
    // The time of a key's last use changes with each minute of use.
    const row = name === 'api_keys' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text'
    // Denied calls and the use of keys are recorded after the answer.
    const which = name === 'activity' ? `where action not in ('denied', 'key_use')` : ''
    return `select '${name}' as name, sum(hashtextextended(${row}, 0))::text as hash from ${name} t ${which}`
  })
  // A named statement, because planning it each time takes longer than running it.
  const hash_all = { name: 'state', text: hashes.join(' union all ') }
  /** A hash of every table except the counters: if it is equal, nothing has changed and no mail was queued. */
  async function state(): Promise<Record<string, string | null>> {
    const { rows } = await admin.query<{ name: string; hash: string | null }>(hash_all)
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
  }

  return {
    foyer,
    /** Other companies' systems. */
    providers: { xero, mailchimp, apaleo, pigeons, owls },
    admin,
    marks,
    own,
    sibling,
    foreign,
    neighbour,
    people,
    programs,
    send,
    state,
    /** A sweep sends more requests than a person may. */
    rest: () => admin.query('delete from rate_limits; delete from used_quotas'),
    async close() {
      await admin.end()
      await foyer.close()
      await Promise.all([xero.close(), mailchimp.close(), apaleo.close(), pigeons.close(), owls.close()])
    },
  }
}

/**
 * In a block: all of its tests together change nothing. The state is compared once, since that costs more than a test; find the call
 * that changed it with `-t`.
 */
export function nothingChanges(worldOf: () => World) {
  let before: Awaited<ReturnType<World['state']>>
  beforeAll(async () => {
    await worldOf().rest()
    before = await worldOf().state()
  })
  beforeEach(() => worldOf().rest())
  afterAll(async () => expect(await worldOf().state()).toEqual(before))
}
