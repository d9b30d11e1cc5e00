// Marketing integrations: connections to systems that send mail to guests who have agreed, and the state of each guest there.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { Authorization, Callback, Choice, connection, Provider } from './integrations.ts'
import { anyOf, byId, changesTo, count, done, id, ListMeta, listOf, moment, named, page, ref, text } from './shapes.ts'

const { read, write, removal } = callsOf('marketing_integrations')

/** The word of a provider: one of `meta.providers` of the list. */
const integration_type = text(100)
export const memberStates = ['waiting', 'sent', 'refused', 'unsubscribed', 'leaving'] as const

export const MarketingIntegration = z
  .object({
    ...connection,
    integration_type: z.string(),
    audience_id: z.string().nullable(),
    audiences: z.array(Choice),
    /**
     * Number of guests by state. `erasures`: those of any state who were erased here, and must still be erased there;
     * `erasures_given_up`: of these the ones that wait for a person, in `/due-work`.
     */
    members: z.object({
      waiting: count,
      sent: count,
      refused: count,
      unsubscribed: count,
      leaving: count,
      erasures: count,
      erasures_given_up: count,
    }),
  })
  .meta({ id: 'MarketingIntegration' })

/** An audience that was disconnected with erasures still pending: they are made once it is connected again. */
const DisconnectedAudience = z.object({
  integration_type: z.string(),
  /** The names of the account, and of the audience in it. */
  name: z.string(),
  audience: z.string(),
  erasures: count,
})

/** One of `audiences`. It cannot be changed once it is chosen, because guests agreed to mail from there. */
export const MarketingSettings = z.object({ audience_id: text().nullish() })

/** A guest who agreed, and the state of passing that on. An erased guest has no name until the provider has erased them, too. */
export const MarketingMember = z
  .object({
    id,
    marketing_integration_id: id,
    guest: named.nullable(),
    email: z.string().nullable(),
    /** The wording they agreed to. */
    wording: z.string().nullable(),
    agreed_at: moment.nullable(),
    /** `refused`: the provider does not take them, or does not take them out. */
    state: z.enum(memberStates),
    /** Why it is waiting, or was refused, and what to do. */
    reason: z.string().nullable(),
    /** How the provider has them, in its own word: `subscribed`, `pending`, `unsubscribed`, `cleaned` (mails bounced), `archived`. */
    provider_state: z.string().nullable(),
    /** When it is tried again, after a failure. */
    next_try_at: moment.nullable(),
    sent_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'MarketingMember' })

export const list = read(
  '/marketing-integrations',
  listOf({ integration_type: anyOf(integration_type) }, {}, ['-created_at', 'created_at']),
  z.object({
    data: z.array(MarketingIntegration),
    meta: ListMeta.extend({
      integrations: z.array(MarketingIntegration),
      providers: z.array(Provider),
      left: z.array(DisconnectedAudience),
    }),
  }),
)
export const get = read('/marketing-integrations/{id}', byId('marketing_integrations'), MarketingIntegration)
/** With an id: renews that connection after its consent has ended. */
export const authorize = write(
  '/marketing-integrations-authorize',
  z.object({
    /** Absent: that of the connection, else the first of them. */
    integration_type: integration_type.optional(),
    id: ref('marketing_integrations').nullish(),
  }),
  Authorization,
)
export const create = asking(write('/marketing-integrations-create', Callback, MarketingIntegration))
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
      /** `true`: those of removed connections. Absent: only those of the others. */
      disconnected: anyOf(z.boolean()),
    },
    { marketing_integration_id: ref('marketing_integrations').optional() },
    ['-created_at', 'created_at'],
  ),
  page(MarketingMember),
)
