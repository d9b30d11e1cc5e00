// Accounts: guests who sign in with a name and a password, in one property.
import { sql } from 'kysely'
import * as contract from '#contract/accounts.ts'
import type { Output, Parsed } from '#contract/endpoint.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { allows } from '#contract/permissions.ts'
import { logActivity, namingGuest } from '#server/entities/activity-log.ts'
import type { Services } from '#server/services.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { refuseOverfull } from './account-limits.ts'
import { askToEnd } from '#server/resources/sessions/sessions.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { applyHolders } from '#server/sessions/changes.ts'
import { serve } from '#server/api/serve.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { queueMail, queueMails } from '#server/deliveries/mails.ts'
import { isUndelivered } from '#server/deliveries/undelivered.ts'
import { postTexts, writeTexts } from '#server/deliveries/texts.ts'
import { mailOf, mailsOfSignIns, textsOfSignIns } from './guest-sign-ins.ts'
import type { Mail } from '#server/deliveries/mail-templates.ts'
import { messages } from '#contract/messages.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { openSealed, type Sealed } from '#server/entities/sealed.ts'
import { activateRow, createRow, deactivateRows, removeIdOrIds, updateRow } from '#server/entities/verbs.ts'

/** The password never appears in a list or the activity log. */
export const passwordsOf = (seal: Seal): Sealed<'password'> => ({
  by: seal,
  fields: { password: 'account_passwords.sealed_password' },
})

/** Accounts whose reference is what was typed: an index finds it, and it is no part of their text. */
const byReference = async (scope: Scope, typed: string, rows_max: number): Promise<number[]> =>
  (
    await scope.run(sql<ColumnsOf<'accounts', 'id'>>`
      select t.id from accounts as t where lower(t.external_reference) = lower(${typed}) and t.deleted_at is null
        and ${scope.inReach('accounts', 't')} order by t.id limit ${rows_max}`)
  ).map(({ id }) => id)

const accountsOf = (sealed: Sealed<'password'>) =>
  entity({
    table: 'accounts',
    row: contract.AccountRow,
    detail: contract.Account.omit({ password: true }),
    fields: contract.fields,
    computed: {
      property: nameOf('properties', 'property_id'),
      package: nameOf('packages', 'package_id'),
      room: nameOf('rooms', 'room_id', 'number'),
      sign_in_undelivered: isUndelivered('guest_sign_in'),
    },
    filters: {
      group_id: ({ is }) => sql`
        t.property_id in (select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)})`,
    },
    alsoFound: byReference,
    sealed,
    belongs: { property_id: 'property_id' },
  })

/** What the log attaches actions on a whole property to. */
const theProperty = { table: 'properties', belongs: { property_id: 'id' } } as const

type Account = Output<typeof contract.get>
type Changes = Partial<Parsed<typeof contract.create>>

/** What the schema cannot check: the account's room is in its property, and the property has room for another account. */
async function refuseMisplaced(scope: Scope, id: number, { property_id, room_id }: Changes) {
  if (room_id !== undefined || property_id !== undefined) {
    const [elsewhere] = await scope.run(sql`
      select from accounts as t join rooms as r on r.customer_id = t.customer_id and r.id = t.room_id
      where t.id = ${id} and r.property_id <> t.property_id and ${scope.inReach('accounts', 't')}`)
    if (elsewhere) throw invalid({ room_id: [selectedInvalid('room_id')] })
  }
  if (property_id !== undefined) await refuseOverfull(scope, new Map([[property_id, 0]]))
}

const noSignIn = 'This account has no user name and password to sign in with yet.'

async function mailOfSignIn(scope: Scope, account: Account, email: string): Promise<Mail> {
  const { username, password, property } = account
  if (username === null || password === null) throw invalid({ id: [noSignIn] })
  const [zone] = await scope.run(sql<{ time_zone: string }>`
    select coalesce(t.time_zone, c.time_zone) as time_zone from properties as t join customers as c on c.id = t.customer_id
    where t.id = ${property.id} and ${scope.inReach('properties', 't')}`)
  const guest = { ...account, username, email, place: property.name, time_zone: zone?.time_zone ?? 'UTC' }
  return mailOf(guest, password)
}

/** Sends a guest their sign-in, if the property has `send_email` or `send_sms` and the guest an address or number. */
async function notifyGuest(scope: Scope, queue: Queue, id: number, password: string) {
  const sought = { passwords: new Map([[id, password]]), onlyWhereWanted: true }
  const { texts, unreachable } = await textsOfSignIns(scope, sought)
  if (unreachable.length > 0) throw invalid({ mobile_number: [noNumber] })
  await queueMails(scope, queue, await mailsOfSignIns(scope, sought))
  await postTexts(scope, queue, await writeTexts(scope, texts))
}
const noNumber = 'The sign-in cannot be texted to this number. Please check it, or leave it out.'

/** Asks the property's gateways to end the open sessions of deleted accounts; returns how many. */
async function disconnectDeleted(scope: Scope, queue: Services['queue'], property_id: number): Promise<number> {
  const open = await scope.lock(
    'radius_sessions',
    sql`t.property_id = ${property_id} and t.stopped_at is null
      and exists (select from accounts as a where a.customer_id = t.customer_id and a.id = t.account_id and a.deleted_at is not null)`,
  )
  await askToEnd(scope, queue, open, 'Account-Deleted')
  return open.length
}

export default ({ seal, queue }: Pick<Services, 'seal' | 'queue'>) => {
  const passwords = passwordsOf(seal)
  const accounts = accountsOf(passwords)
  const passwordOf = (scope: Scope, id: number) =>
    allows(scope.can, 'accounts', 'write') ? openSealed(scope, passwords, 'password', id) : Promise.resolve(null)
  const whole = async (scope: Scope, id: number): Promise<Account> => ({
    ...(await oneRow(scope, accounts, id)),
    password: await passwordOf(scope, id),
  })

  /** A new guest is told the sign-in once: when the account is first active, with a user name and a password. */
  async function tellNewGuest(scope: Scope, id: number) {
    const [due] = await scope.run(sql`
      select from accounts as t where t.id = ${id} and t.sign_in_due and t.status = 'active' and t.username is not null
        and ${scope.inReach('accounts', 't')}`)
    const password = due ? await openSealed(scope, passwords, 'password', id) : null
    if (password === null) return
    await scope.change('accounts', [id], { sign_in_due: false })
    await notifyGuest(scope, queue, id, password)
  }

  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, accounts, input),
    exportList: (call) => exportRows(call, accounts),
    get: ({ scope, input }) => whole(scope, input.id),
    create: async ({ scope, input }) => {
      const { id } = await createRow(scope, accounts, { ...input, sign_in_due: true })
      await refuseMisplaced(scope, id, input)
      await tellNewGuest(scope, id)
      return whole(scope, id)
    },
    update: async ({ scope, input: { password: given, ...input } }) => {
      // A password sent back as it was read is no change; callers who may not see it read null.
      const password = given !== undefined && given === (await passwordOf(scope, input.id)) ? undefined : given
      await updateRow(scope, accounts, { ...input, password })
      await refuseMisplaced(scope, input.id, input)
      await tellNewGuest(scope, input.id)
      if (input.package_id !== undefined) await applyHolders(scope, queue, sql`t.account_id = ${input.id}`)
      const changed = await whole(scope, input.id)
      // The caller who has just set it may read it out to the guest, even if they may not look it up later.
      return password === undefined ? changed : { ...changed, password }
    },
    sendSignIn: async ({ scope, input }) => {
      const account = await whole(scope, input.id)
      const email = input.email ?? account.email
      if (email === null) throw invalid({ email: [messages.fields.required] })
      const to_own_guest = email.toLowerCase() === account.email?.toLowerCase()
      await queueMail(scope, queue, await mailOfSignIn(scope, account, email), { to_own_guest })
      const after = namingGuest({ mailed_to: email })
      await logActivity(scope, { action: 'export', entity: accounts, row: account, before: null, after })
      return { email }
    },
    deactivate: ({ scope, input }) => deactivateRows(scope, accounts, input.ids),
    activate: async ({ scope, input }) => {
      await activateRow(scope, accounts, input.id)
      await tellNewGuest(scope, input.id)
      return whole(scope, input.id)
    },
    remove: ({ scope, input }) => removeIdOrIds(scope, accounts, input),
    disconnectDeleted: async ({ scope, input: { propertyId: id } }) => {
      if ((await scope.unreachable([{ target: 'properties', id, field: 'propertyId' }])).length > 0) throw notFound()
      const disconnected = await disconnectDeleted(scope, queue, id)
      if (disconnected > 0)
        await logActivity(scope, {
          action: 'update',
          entity: theProperty,
          row: { id },
          before: null,
          after: { disconnected },
        })
      return { disconnected }
    },
  })
}
