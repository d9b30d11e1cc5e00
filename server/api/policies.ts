// Policies: the law of who may change what. Reading is free within one's reach; writing is denied unless it stands here.
import type { Endpoint } from '#contract/endpoint.ts'
import * as sessions from '#contract/sessions.ts'
import type { Caller, Owner } from '#server/access/tenancy.ts'

type Writer = Owner['owner_type']

/** Whose editors may write in each area. */
const writers = {
  accounts: ['Customer', 'Group', 'Property'],
  activity: [],
  dashboard: [],
  groups: ['Customer'],
  imports: ['Customer', 'Group', 'Property'],
  packages: ['Customer'],
  properties: ['Customer', 'Group'],
  reference: [],
  sessions: ['Customer', 'Group', 'Property'],
  users: ['Customer', 'Group', 'Property'],
  voucher_batches: ['Customer', 'Group', 'Property'],
  vouchers: [],
} satisfies Record<string, Writer[]>
export type Area = keyof typeof writers

/** What is served without a token. */
const open: readonly Endpoint[] = [
  sessions.login,
  sessions.signup,
  sessions.forgotPassword,
  sessions.resetPassword,
  sessions.acceptInvitation,
]

/** What changes nothing but one's own session, so that viewers may do it too. */
const ownBusiness: readonly Endpoint[] = [sessions.switchUser, sessions.logout]

export const isOpen = (endpoint: Endpoint) => open.includes(endpoint)

const writesIn = (caller: Caller, area: Area) =>
  caller.role === 'editor' && (writers[area] as readonly Writer[]).includes(caller.owner.owner_type)

export const may = (caller: Caller, area: Area, endpoint: Endpoint): boolean =>
  endpoint.kind === 'read' || ownBusiness.includes(endpoint) || writesIn(caller, area)

/** Sent to the web app, so that it offers no button that the server would refuse. */
export const writableAreas = (caller: Caller): Area[] =>
  (Object.keys(writers) as Area[]).filter((area) => area !== 'sessions' && writesIn(caller, area))
