// Samples: makes an invented hotel for a customer, says what people have added to it, and takes it away (decision 175).
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import * as contract from '#contract/samples.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { forbidden } from '#server/errors/refused.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { inventedPeople } from '#server/resources/invented-people.ts'
import type { Services } from '#server/services.ts'
import { sealCodesKind } from '#server/vouchers/seal-codes.ts'

/** As many as have a room, and the holders of accounts. */
const people_count = 300

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

/** Nothing reports for their gateways and guests but this. */
export const keepSamplesJob = job({
  kind: jobKind('keep_samples'),
  cron: '* * * * *',
  title: 'Keeping samples alive',
  run: async ({ tenancy }: { tenancy: Tenancy }) => {
    await tenancy.callFunction(sql`select door_keep_samples()`)
  },
})
