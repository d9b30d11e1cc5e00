// Samples: makes an invented hotel for a customer, says what people have added to it, and takes it away (decision 175).
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import * as contract from '#contract/samples.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { forbidden, tooMany } from '#server/errors/refused.ts'
import { countAll } from '#server/fairness/quotas.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { inventedPeople } from './invented-people.ts'
import type { Services } from '#server/services.ts'
import { sealCodesKind } from '#server/vouchers/seal-codes.ts'

/** As many as have a room, and the holders of accounts. */
const people_count = 300

/** Each begins with the quotas of a day anew, which are nobody else's. */
const samples_a_day = 5

/** Counted while it is made, so that one that is opened again costs nothing. */
async function countMade(scope: Scope) {
  const made = (await countAll(scope, [{ quota: 'samples', amount: 1, daily: true }])).get('samples')
  if (made && made.used > samples_a_day)
    throw tooMany(made.wait_s, `A sample can be made ${samples_a_day} times a day. It can be made again tomorrow.`)
}

const moment = (at: string) => new Date(at).toISOString()

export default ({ queue }: Pick<Services, 'queue'>) =>
  serve(contract, {
    sample: async ({ scope }) => {
      const [found] = await scope.run(sql<Output<typeof contract.sample> & { made_at: string }>`
      select made_at, user_id, added, changed from sample_now(${userIdOf(scope)}::integer)`)
      if (!found) return { made_at: null, user_id: null, added: [], changed: 0 }
      const added = found.added.map((each) => ({ ...each, at: moment(each.at) }))
      return { ...found, made_at: moment(found.made_at), added }
    },
    startSample: async ({ scope }) => {
      const there = await scope.run(sql`select from sample_now(${userIdOf(scope)}::integer)`)
      if (there.length === 0) await countMade(scope)
      const [opened] = await scope.run(sql<{ user_id: number | null }>`
      select start_sample(${userIdOf(scope)}::integer, ${inventedPeople(people_count)}::text[]) as user_id`)
      // A program has no user to switch to.
      if (!opened?.user_id) throw forbidden()
      // Its codes are invented by the database, which cannot seal them.
      await queue.send(sealCodesKind, {})
      return { user_id: opened.user_id }
    },
    endSample: async ({ scope }) => {
      await scope.run(sql`select end_sample()`)
      return {}
    },
  })

/** How long one run goes on with what is left of those that were taken away: each call deletes for some seconds. */
const ending_ms = 45_000
export async function clearEnded({ tenancy }: { tenancy: Tenancy }): Promise<void> {
  for (const began = Date.now(); Date.now() - began < ending_ms;) {
    const [left] = await tenancy.callFunction(sql<{ is_more: boolean }>`select door_end_samples() as is_more`)
    if (!left?.is_more) return
  }
}

/** Nothing reports for their gateways and guests but this; and what was too much to go at once goes here. */
export const keepSamplesJob = job({
  kind: jobKind('keep_samples'),
  cron: '* * * * *',
  title: 'Keeping samples alive',
  run: async ({ tenancy }: { tenancy: Tenancy }) => {
    await tenancy.callFunction(sql`select door_keep_samples()`)
    await clearEnded({ tenancy })
  },
})
