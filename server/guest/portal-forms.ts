// Portal forms: what a guest who arrived has sent from the page of a portal: they are let in, or shown what is to be done.
import type { FastifyRequest } from 'fastify'
import type { SignInStep } from '#portal/design.ts'
import type { Refusal } from '#portal/texts/en.ts'
import type { Services } from '#server/services.ts'
import type { Arrived, KnownGateway } from './arrivals.ts'
import { letIn } from './let-in.ts'
import { languageOf } from './page.ts'
import { offersSignIn, onlineAt, signInAgain, type Route, type ShownStep } from './portal-steps.ts'
import { signIn } from './sign-in.ts'
import type { Fields } from './ways/way.ts'
import { typedIn, wayIn } from './ways/ways.ts'

export type Sent = FastifyRequest<Route & { Body: Fields }>
export type FormAnswer = { returned: string } | Pick<ShownStep, 'step' | 'action' | 'hidden'>

export async function answerForm(
  services: Pick<Services, 'seal' | 'fingerprint' | 'metrics' | 'tenancy' | 'queue' | 'portal_url' | 'portal_domain'>,
  request: Sent,
  arrived: Arrived,
): Promise<FormAnswer> {
  const { headers, ip, body: fields } = request
  const { known, arrival } = arrived
  if (known && fields['sign_out'] !== undefined) {
    const { sign_out } = known.portal.pagesOf(known.gateway.host)
    return sign_out === null ? { step: onlineAt(known) } : { returned: sign_out }
  }
  const { mac_address } = arrival
  if (!known || mac_address === null || !offersSignIn(known.gateway)) return { step: { name: 'unregistered' } }
  const { gateway } = known
  if (arrival.outcome === 'too-old') return { step: { name: 'signed-out' }, ...signInAgain(known.portal, gateway) }
  if (fields['change'] !== undefined) return { step: { name: 'sign-in', method: Number(fields['method']) } }
  const guest = { mac_address, language: languageOf(request), ip, user_agent: headers['user-agent'] ?? null }
  const chosen = wayIn(gateway.auth_method_ids, fields)
  const outcome = await signIn(services, { gateway, guest, fields, chosen }, apartFrom(request))
  if ('waits' in outcome) return { step: outcome.waits }
  const refusedWith = (refused: Refusal): SignInStep => ({
    name: 'sign-in',
    refused,
    ...(chosen && { method: chosen.method, typed: typedIn(chosen.way, fields) }),
    ticked: tickedIn(fields, gateway),
  })
  if ('refused' in outcome) return { step: refusedWith(outcome.refused) }
  const answer = await letIn(services, request, { arrived, known, mac_address, pass: outcome.pass })
  return 'refused' in answer ? { step: refusedWith(answer.refused) } : answer
}

/** Whoever waits for the property's system keeps nobody else waiting. */
const apartFrom = (request: Sent) => async (wait: () => Promise<void>) => {
  request.turn?.end()
  await wait()
  await request.takeTurn?.()
}

/** What they have agreed to stays ticked; terms that were changed meanwhile are asked for anew. */
const tickedIn = (fields: Fields, { terms_version }: KnownGateway) => [
  ...(fields['terms'] === String(terms_version) ? ['terms'] : []),
  ...(fields['marketing'] === '1' ? ['marketing'] : []),
]
