// Marketing integrations: connections to the systems that write to guests who have agreed to it, and what became of each guest.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { Authorization, Callback, Choice, connection, Provider } from './integrations.ts'
import { anyOf, byId, changesTo, count, done, id, ListMeta, listOf, moment, named, page, ref, text } from './shapes.ts'

const { read, write, removal } = callsOf('marketing_integrations')

export const integrationTypes = ['mailchimp'] as const
export const memberStates = ['waiting', 'sent', 'refused', 'unsubscribed', 'leaving'] as const

export const MarketingIntegration = z
  .object({
    ...connection,
    integration_type: z.enum(integrationTypes),
    audience_id: z.string().nullable(),
    audiences: z.array(Choice),
    /** How many guests are where. `erasures`: those of any state who were erased here, and are still to be erased there. */
    members: z.object({
      waiting: count,
      sent: count,
      refused: count,
      unsubscribed: count,
      leaving: count,
      erasures: count,
    }),
  })
  .meta({ id: 'MarketingIntegration' })

/** An audience that was disconnected with erasures still to be made there: they go through once it is connected again. */
const Left = z.object({
  integration_type: z.enum(integrationTypes),
  /** Of the account, and of the audience in it. */
  name: z.string(),
  audience: z.string(),
  erasures: count,
})

/** One of `audiences`. Once chosen it stays: people agreed to be written to from there. */
export const MarketingSettings = z.object({ audience_id: text().nullish() })

/** A guest who agreed, and how far that has gone. One who is erased is nameless until the provider has erased them, too. */
export const MarketingMember = z
  .object({
    id,
    marketing_integration_id: id,
    guest: named.nullable(),
    email: z.string().nullable(),
    /** What they agreed to, as it read. */
    wording: z.string().nullable(),
    agreed_at: moment.nullable(),
    state: z.enum(memberStates),
    /** Why it waits, or was refused. */
    reason: z.string().nullable(),
    sent_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'MarketingMember' })

export const list = read(
  '/marketing-integrations',
  listOf({ integration_type: anyOf(z.enum(integrationTypes)) }, {}, ['-created_at', 'created_at']),
  z.object({
    data: z.array(MarketingIntegration),
    meta: ListMeta.extend({
      integrations: z.array(MarketingIntegration),
      providers: z.array(Provider),
      left: z.array(Left),
    }),
  }),
)
export const get = read('/marketing-integrations/{id}', byId('marketing_integrations'), MarketingIntegration)
/** With an id: the same connection anew, where consent has ended. */
export const authorize = write(
  '/marketing-integrations-authorize',
  z.object({
    integration_type: z.enum(integrationTypes).default('mailchimp'),
    id: ref('marketing_integrations').nullish(),
  }),
  Authorization,
)
export const create = write('/marketing-integrations-create', Callback, MarketingIntegration)
export const update = write(
  '/marketing-integrations-update',
  changesTo('marketing_integrations', MarketingSettings),
  MarketingIntegration,
)
export const remove = removal('/marketing-integrations-delete/{id}', byId('marketing_integrations'), done)

export const members = read(
  '/marketing-members',
  listOf(
    {
      state: anyOf(z.enum(memberStates)),
      /** Of connections that were taken down. Without a word, only the others'. */
      disconnected: anyOf(z.boolean()),
    },
    { marketing_integration_id: ref('marketing_integrations').optional() },
    ['-created_at', 'created_at'],
  ),
  page(MarketingMember),
)
