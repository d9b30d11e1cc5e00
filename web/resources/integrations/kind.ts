// Kinds of connection: the calls of each, and the redirect to a provider's page.
import * as accounting from '#contract/accounting-integrations.ts'
import type { Endpoint, Reply } from '#contract/endpoint.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { call, callKind } from '#web/kit/call/call.ts'

type AccountingReply = Reply<typeof accounting.list>
type MarketingReply = Reply<typeof marketing.list>
export type Provider = AccountingReply['meta']['providers'][number]
export type Connection =
  AccountingReply['meta']['integrations'][number] | MarketingReply['meta']['integrations'][number]

/** A disconnected audience in which guests are still to be erased. */
export type Left = MarketingReply['meta']['left'][number]

/** The calls of one kind of connection, and its texts. */
export interface Kind {
  name: 'accounting' | 'marketing'
  authorize: Endpoint
  update: Endpoint
  remove: Endpoint
  title: string
  hint: string
}
export const kinds: {
  of: Kind
  list: () => Promise<{ meta: { providers: Provider[]; integrations: Connection[]; left?: Left[] } }>
}[] = [
  {
    of: {
      name: 'accounting',
      authorize: accounting.authorize,
      update: accounting.update,
      remove: accounting.remove,
      title: 'Accounting',
      hint: 'Approved bills become drafts there. Its contacts can be chosen as the payers of properties and devices.',
    },
    list: () => call(accounting.list, {}),
  },
  {
    of: {
      name: 'marketing',
      authorize: marketing.authorize,
      update: marketing.update,
      remove: marketing.remove,
      title: 'Marketing',
      hint: 'Only guests who agreed to be written to are sent there.',
    },
    list: () => call(marketing.list, {}),
  },
]

/** Opens the provider's page; `id`: the connection to be renewed. */
export async function leaveFor(authorize: Endpoint, ask: { integration_type: string; id?: number }) {
  const { url } = await callKind<{ url: string }>(authorize, ask)
  window.location.assign(url)
}
