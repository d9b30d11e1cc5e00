// Letting in: how a guest who has a pass is let in by the gateway that sent them, and where they come back to.
import type { Refusal } from '#portal/texts/en.ts'
import { isLanguage } from '#portal/languages.ts'
import type { MadePass } from '#server/admission/passes.ts'
import { originOf } from '#server/gateways/portal-hosts.ts'
import type { Services } from '#server/services.ts'
import type { Arrived } from './arrivals.ts'
import { askController, judgeHere } from './controller-grants.ts'
import type { Request, ShownStep } from './portal-steps.ts'
import { renew } from './renewals.ts'
import { queryOfKey } from './status.ts'

type Known = NonNullable<Arrived['known']>
/** Where a guest goes next, what their browser hands to the gateway, or why they are not let in. */
export type LetInAnswer = { returned: string } | Pick<ShownStep, 'step' | 'action' | 'hidden'> | { refused: Refusal }

/** A box that fetches its guests is told none. */
const no_pass = { username: '', password: '', back: '' }

const ownAddressOf = (services: Pick<Services, 'portal_url' | 'portal_domain'>, request: Request) =>
  `${originOf(request, services)}/p/${request.params.public_id}`

function backOf(services: Pick<Services, 'portal_url' | 'portal_domain'>, request: Request, status_key: string) {
  const chosen = isLanguage(request.query.lang) ? `&lang=${request.query.lang}` : ''
  return `${ownAddressOf(services, request)}${queryOfKey(status_key)}${chosen}`
}

const registeredOf = (
  { portal_url }: Pick<Services, 'portal_url'>,
  { gateway: { host, login_method }, secret, settings }: Known,
) => ({
  host,
  login_method,
  secret,
  settings,
  portal_is_https: portal_url.startsWith('https:'),
})

/** Where a guest goes on whom the box sends only because it was granted a short length. */
export async function renewedAt(
  services: Pick<Services, 'seal' | 'tenancy' | 'portal_url' | 'portal_domain'>,
  request: Request,
  { redirect, arrival, is_sealed, known }: Arrived,
): Promise<string | null> {
  const { mac_address } = arrival
  if (!is_sealed || !known || mac_address === null) return null
  const onward = known.portal.letIn(redirect, registeredOf(services, known), no_pass)
  if (onward.by !== 'fetch' || onward.fields.lasts_max_s === undefined) return null
  const key = await renew(services, { gateway: known.gateway, mac_address, sent: onward.fields })
  return key === null ? null : backOf(services, request, key)
}

interface LettingIn {
  arrived: Pick<Arrived, 'redirect'>
  known: Known
  mac_address: string
  pass: MadePass
}

export async function letIn(
  services: Pick<Services, 'seal' | 'tenancy' | 'queue' | 'portal_url' | 'portal_domain'>,
  request: Request,
  { arrived, known, mac_address, pass: { status_key, ...pass } }: LettingIn,
): Promise<LetInAnswer> {
  const { gateway } = known
  const back = backOf(services, request, status_key)
  const onward = known.portal.letIn(arrived.redirect, registeredOf(services, known), { ...pass, back })
  switch (onward.by) {
    case 'address': {
      const judged = onward.asks_nobody ? await judgeHere(services, { gateway, pass, mac_address }) : null
      if (judged && 'refused' in judged) return judged
      const lasts = judged && onward.seconds_as !== undefined && { [onward.seconds_as]: String(judged.seconds) }
      const query = new URLSearchParams({ ...onward.fields, ...lasts }).toString()
      return { returned: query === '' ? onward.address : `${onward.address}?${query}` }
    }
    case 'form':
      return { step: { name: 'hand-over' }, action: onward.address, hidden: onward.fields }
    case 'call':
    case 'fetch': {
      const fetched = onward.by === 'fetch' && { fetched_as: onward.fields.asks_as }
      const not = await askController(services, { gateway, pass, mac_address, sent: onward.fields, ...fetched })
      return not ?? { returned: back }
    }
  }
}
