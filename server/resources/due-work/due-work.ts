// Due work: what is done later, for the customer's editors: what waits and why, trying again what failed, and dismissing it.
import { sql } from 'kysely'
import * as contract from '#contract/due-work.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { stillFailing, waitsForAnswer, wake, type DueWork } from '#server/due/due-work.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity, type Sql } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'

type Kind = Pick<DueWork<never>, 'kind' | 'about' | 'logged' | 'again' | 'dismissed'>

/** A kind's word as people read it: `Report file`. */
const nameOf = (word: string) => word[0]?.toUpperCase() + word.slice(1).replaceAll('_', ' ')

interface Found {
  id: number
  kind: string
  about_id: number
  state: (typeof contract.states)[number]
  about: string | null
}

export default (kinds: readonly Kind[], { queue }: Pick<Services, 'queue'>) => {
  const ofKind = (said: (kind: Kind) => Sql) =>
    sql`case t.kind ${sql.join(
      kinds.map((one) => sql`when ${sql.lit(one.kind.name)} then ${said(one)}`),
      sql` `,
    )} end`
  const about = (scope: Scope) => ofKind((kind) => kind.about(scope))
  const logged = (scope: Scope) => ofKind((kind) => (kind.logged ?? kind.about)(scope))
  const dueOf = (scope: Scope) =>
    entity({
      table: 'due_work',
      row: contract.DueWorkRow,
      detail: contract.DueWorkRow,
      label: 'kind',
      computed: { about: about(scope), waits_for_answer: waitsForAnswer('t') },
      filters: { words: wordsOf(about(scope)) },
    })

  /** Locked against those who try it, so that nobody settles what is being decided here. */
  async function chosen(scope: Scope, ids: readonly number[]): Promise<Found[]> {
    const locked = await scope.lock('due_work', sql`t.id = any(${ids})`)
    if (locked.length !== ids.length) throw unreachableIds()
    return scope.run(sql<Found>`
      select t.id, t.kind, t.about_id, t.state, ${about(scope)} as about from due_work as t
      where t.id = any(${locked}) and ${scope.inReach('due_work', 't')} order by t.id`)
  }
  const byKind = (found: readonly Found[]) =>
    kinds.flatMap((kind) => {
      const about_ids = found.flatMap((one) => (one.kind === kind.kind.name ? [one.about_id] : []))
      return about_ids.length > 0 ? [{ kind, about_ids }] : []
    })
  const log = async (scope: Scope, found: readonly Found[], words: string, reason: string | null) => {
    for (const one of found)
      await logActivity(scope, {
        action: 'update',
        entity: { table: 'due_work', label: logged(scope) },
        row: { ...one },
        before: { state: one.state },
        after: { state: words, ...(reason !== null && { reason }) },
      })
  }

  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, dueOf(scope), searched(input)),
    kinds: () => Promise.resolve(kinds.map(({ kind: { name } }) => ({ id: name, name: nameOf(name) }))),
    async retry({ scope, input }) {
      // What is being tried needs no further try.
      const found = (await chosen(scope, input.ids)).filter(({ state }) => state !== 'trying')
      // Before: what takes the place of work has work of its own.
      await log(scope, found, 'waiting', null)
      for (const { kind, about_ids } of byKind(found.filter(({ state }) => state !== 'waiting')))
        await kind.again?.(scope, about_ids, queue)
      const ids = found.map(({ id }) => id)
      await scope.change('due_work', ids, {
        state: 'waiting',
        tries: 0,
        next_at: sql`now()`,
        failing_since: stillFailing,
      })
      for (const { kind } of byKind(found)) await wake(queue, kind.kind.name)
      return { ids: input.ids }
    },
    async dismiss({ scope, input }) {
      const reason = input.reason ?? null
      const found = await chosen(scope, input.ids)
      if (found.some(({ state }) => state === 'waiting' || state === 'trying'))
        throw clash('Only work that was given up can be dismissed. The rest is still being tried.')
      if (reason === null && found.some(({ state }) => state === 'unknown'))
        throw invalid({ reason: ['Enter what you found: it is not known whether this was done.'] })
      await log(scope, found, 'dismissed', reason)
      for (const { kind, about_ids } of byKind(found)) await kind.dismissed?.(scope, about_ids)
      await scope.unlink('due_work', { id: found.map(({ id }) => id) })
      return { ids: input.ids }
    },
  })
}
