// Polling: systems that report nothing by themselves are polled for all stays or for changes. It is due work that never ends, so that one
// node polls each.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { dueKind, hasten, queueDue, TriedInVain, type DueWork } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { ProviderFailure } from '#server/connections/provider.ts'
import { NotReached, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { StayUpdate } from '#server/stays/stay-updates.ts'
import { receiveUpdates } from './receive-updates.ts'
import { interfaceName, interfaceOf, type Interface } from './interfaces.ts'
import { markDown } from './link-state.ts'
import { AskedToWait } from './answers.ts'
import { noteEnded, openSystemConsents } from './consents.ts'
import { NotSetUp, type PollAnswer, type PolledProperty, type ChangedStay, type Origins } from './kind.ts'
import { systemOf, systems } from './kinds.ts'
import { hasConsent, interfaceSettings } from './interface-settings.ts'
import { keyed, knownStays } from './stay-keys.ts'

const pollingKind = dueKind('property_asking')
/** Until the next poll after one that failed. */
const again_s = 5 * 60
const overlap_s = 5 * 60
/** All stays are polled this often, so that a missed change comes in. */
const list_hours = 6
const hints_s = 10
const polled_types = systems.filter(({ polling }) => polling !== undefined).map(({ definition }) => definition.id)

interface Needs {
  tenancy: Tenancy
  queue: Queue
  seal: Seal
  safeFetch: SafeFetch
  systems: Origins
  public_url: string
  /** What the addresses of guests' pages start with. */
  portal_url: string
}

/** Tells guests who have just come how to sign in. */
export type TellMoveIns = (
  scope: Scope,
  needs: Pick<Needs, 'queue' | 'portal_url'>,
  ids: readonly number[],
) => Promise<void>

export const pollingWork = (tellMoveIns: TellMoveIns): DueWork<Needs> => ({
  kind: pollingKind,
  about: interfaceName,
  promise: 'repeated',
  at_once: 4,
  of_one_customer: 1,
  tries_max: 10,
  wait_s: () => again_s,
  async run(needs, { about_id, caller }) {
    const { tenancy, queue, seal, safeFetch, portal_url, systems: origins } = needs
    const known = await tenancy.enter(caller, 'read', async (scope) => {
      const of = await interfaceOf(scope, about_id)
      if (!of) return undefined
      const settings = await interfaceSettings(scope, seal, of.id, of.settings)
      const has_consent = await hasConsent(scope, of.id)
      return { of, settings, property: await propertyOf(scope, of), asked: await marksOf(scope, of.id), has_consent }
    })
    const polling = known && systemOf(known.of.type_id)?.polling
    if (!known || !polling || known.of.property_id === null) return
    const { of, settings, property, asked, has_consent } = known
    const host = of.port === null || of.host === null ? of.host : `${of.host}:${of.port}`
    const asked_as = JSON.stringify({ type: of.type_id, host, settings: of.settings, property })
    const since = asked.asked_as === asked_as && !asked.wants_all ? asked.since : null
    const consents = openSystemConsents(needs)
    const consent = {
      consented: has_consent ? consents.ask(caller, of) : null,
      can_consent: consents.isOffered(of.type_id),
    }
    const told = () => tenancy.enter(caller, 'read', (scope) => knownStays(scope, of.id))
    const request = { fetch: safeFetch, origins, ...consent, host, settings, property, since, known: told }
    const answer = await polling.poll(request).catch((error: unknown) => {
      if (error instanceof ProviderFailure)
        throw new TriedInVain(`There is no link: ${error.message}`, {
          retry_after_s: error.retry_after_s ?? again_s,
          cause: error,
        })
      if (error instanceof NotReached) throw inVain(`There is no link: ${error.message}.`, error)
      if (error instanceof NotSetUp) return error
      throw error
    })
    // No poll was made, so none failed: the interface shows the sentence until a person enters what is missing.
    if (answer instanceof NotSetUp)
      return async (scope) => {
        await markDown(scope, of.id, answer.message)
        return { waits_s: again_s }
      }
    return async (scope) => {
      const now = await interfaceOf(scope, of.id)
      // The form was saved meanwhile: the answer is dropped, and the system is polled by the new settings.
      if (JSON.stringify(now) !== JSON.stringify(of)) return { again_s: 0 }
      await noteEnded(scope, of.id, false)
      const isWhole = !('changed' in answer)
      const updates = isWhole
        ? [await snapshotOf(scope, of.id, answer, since !== null)]
        : await updatesOf(scope, of.id, answer.changed)
      const result = await receiveUpdates(scope, queue, of, updates)
      // Guests of the first poll were there before: they are no move-ins.
      if (result && property.mri_enabled && property.mri_communication && asked.asked_as === asked_as)
        await tellMoveIns(scope, { queue, portal_url }, result.arrived)
      await scope.change('property_links', sql<boolean>`t.property_interface_id = ${of.id}`, {
        asked_until: answer.at,
        asked_as,
        ...(isWhole && { listed_at: sql`now()` }),
      })
      return { again_s: polling.every_s }
    }
  },
  async failed(scope, { about_id }, { last_error, error }) {
    if (hasEnded(error)) await noteEnded(scope, about_id, true)
    await markDown(scope, about_id, last_error)
  },
  finds: sql`select customer_id, id as about_id from door_unasked_interfaces(${polled_types}::integer[], ${pollingKind.name})`,
})

/** The consent has ended: only a person can give it again. */
const hasEnded = (error: unknown) =>
  error instanceof TriedInVain && error.cause instanceof ProviderFailure && error.cause.failing === 'reconnect'

const inVain = (sentence: string, error: NotReached) =>
  new TriedInVain(sentence, { retry_after_s: (error instanceof AskedToWait && error.retry_after_s) || again_s })

async function propertyOf(scope: Scope, { property_id }: Interface): Promise<PolledProperty> {
  const [property] = await scope.run(sql<PolledProperty>`
    select t.mri_enabled, t.mri_communication, t.external_reference, t.time_zone from properties as t
    where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
  return property ?? { mri_enabled: false, mri_communication: false, external_reference: null, time_zone: 'UTC' }
}

interface Marks {
  /** The settings of the last poll: for another account or property all stays are polled. */
  asked_as: string | null
  /** Polls overlap in time, since the other side may show changes in another order than it wrote them. */
  since: Date | null
  wants_all: boolean
}
/** While a snapshot waits for a person, changes are polled as usual. */
async function marksOf(scope: Scope, interface_id: number): Promise<Marks> {
  const [marks] = await scope.run(sql<Omit<Marks, 'since'> & { since: string | null }>`
    select t.asked_as, t.asked_until - make_interval(secs => ${overlap_s}) as since,
      t.wants_all and t.pending is null or t.listed_at is null or t.listed_at < now() - make_interval(hours => ${list_hours})
        as wants_all
    from property_links as t where t.property_interface_id = ${interface_id} and ${scope.inReach('property_links', 't')}`)
  return marks
    ? { ...marks, since: marks.since === null ? null : new Date(marks.since) }
    : { asked_as: null, since: null, wants_all: true }
}

async function snapshotOf(
  scope: Scope,
  interface_id: number,
  answer: Exclude<PollAnswer, { changed: unknown }>,
  again: boolean,
): Promise<StayUpdate> {
  const stays = 'stays' in answer ? answer.stays : keyed(answer.bookings, await knownStays(scope, interface_id))
  return { kind: 'all', at: answer.at, again, stays }
}

/** Ends of stays that were never reported are dropped: most changes at a hotel are bookings for later days. */
async function updatesOf(scope: Scope, interface_id: number, changed: readonly ChangedStay[]): Promise<StayUpdate[]> {
  const ended = changed.filter(({ fields }) => fields === null).map(({ stay_key }) => stay_key)
  const rows = await scope.run(sql<ColumnsOf<'told_stays', 'stay_key'>>`
    select t.stay_key from told_stays as t where t.property_interface_id = ${interface_id} and t.told is not null
      and t.stay_key = any(${ended}) and ${scope.inReach('told_stays', 't')}`)
  const told = new Set(rows.map(({ stay_key }) => stay_key))
  return changed.flatMap(({ stay_key, at, fields }): StayUpdate[] => {
    if (fields === null) return told.has(stay_key) ? [{ kind: 'ended', stay_key, at }] : []
    const { arrived = false, ...stay } = fields
    return [{ kind: 'stay', stay_key, at, fields: stay, is_complete: true, arrived }]
  })
}

/** Polls soon after a hint. However many hints come, there is one poll in ten seconds, and after a failure the next regular one. */
export async function pollOnHint(scope: Scope, queue: Queue, interface_id: number) {
  const [link] = await scope.run(sql<{ is_fresh: boolean }>`
    select t.heard_at > now() - make_interval(secs => ${hints_s}) as is_fresh from property_links as t
    where t.property_interface_id = ${interface_id} and ${scope.inReach('property_links', 't')}`)
  const after_s = link?.is_fresh ? hints_s : 0
  await hasten(scope, queue, pollingKind, { about_id: interface_id, after_s, again_s: hints_s })
}

/** Polls now, before the regular time. */
export const pollNow = (scope: Scope, queue: Queue, interface_id: number) =>
  queueDue(scope, queue, pollingKind, [{ about_id: interface_id, urgent: true }])
