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
  /** What follows when a connection of it is taken down. */
  whenLeft: (connection: Connection) => string
  /** Ends a way to the provider's page: the state that comes back begins with the kind's name and a dot. */
  create: (authorization: { code: string; state: string }) => Promise<{ name: string | null }>
}
const erasuresText = (count: number, needsReconnect: boolean) =>
  count === 0
    ? 'Guests who are erased here afterwards are erased there once the same audience is connected again.'
    : `${count === 1 ? 'One guest who was erased here still is' : `${count} guests who were erased here still are`} in it: ` +
      'they are erased there once the same audience is connected again.' +
      (needsReconnect ? '' : ' Wait a minute or two, and they are erased first.')

interface KindOfConnection {
  of: Kind
  list: () => Promise<{ meta: { providers: Provider[]; integrations: Connection[]; left?: Left[] } }>
}
/** The first is meant where a state names none. */
export const kinds: readonly [KindOfConnection, ...KindOfConnection[]] = [
  {
    of: {
      name: 'accounting',
      authorize: accounting.authorize,
      update: accounting.update,
      remove: accounting.remove,
      title: 'Accounting',
      hint: 'Approved bills become drafts there. Its contacts can be chosen as the payers of properties and devices.',
      whenLeft: () =>
        'Foyer no longer reads or drafts anything there. What is there stays. The account, tax rate and contacts of properties are ' +
        'kept, and are used again if you reconnect.',
      create: (authorization) => call(accounting.create, authorization),
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
      whenLeft: (connection) =>
        'No guests are sent there any more, and Foyer no longer hears who unsubscribes. Guests already in the audience stay. ' +
        erasuresText('members' in connection ? connection.members.erasures : 0, connection.state === 'reconnect'),
      create: (authorization) => call(marketing.create, authorization),
    },
    list: () => call(marketing.list, {}),
  },
]

/** Opens the provider's page; `id`: the connection to be renewed. */
export async function leaveFor(authorize: Endpoint, ask: { integration_type: string; id?: number }) {
  const { url } = await callKind<{ url: string }>(authorize, ask)
  window.location.assign(url)
}
