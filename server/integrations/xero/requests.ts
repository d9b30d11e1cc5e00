// Requests to Xero, and how its refusals are interpreted.
import { z } from 'zod'
import type { OutgoingAnswer, OutgoingCall } from '#server/outbound/safe-fetch.ts'
import { failureOf, jsonBody, ProviderFailure, type Ask } from '#server/connections/provider.ts'
import { definition } from './definition.ts'

const Refusal = z.object({
  Message: z.string().nullish(),
  Detail: z.string().nullish(),
  Elements: z.array(z.object({ ValidationErrors: z.array(z.object({ Message: z.string() })).nullish() })).nullish(),
})

/** Xero's own sentences about a refusal, the most specific ones. */
function detailOf({ body }: OutgoingAnswer): string | null {
  const { data } = Refusal.safeParse(jsonBody(body))
  const found = data?.Elements?.flatMap((element) => element.ValidationErrors ?? []).map((each) => each.Message) ?? []
  return found.length > 0 ? found.join(' ') : (data?.Detail ?? data?.Message ?? null)
}

export async function callXero(ask: Ask, path: string, call?: OutgoingCall): Promise<OutgoingAnswer> {
  const answer = await ask(path, { ...call, headers: { accept: 'application/json', ...call?.headers } })
  if (answer.status >= 200 && answer.status < 300) return answer
  const detail = detailOf(answer)
  if (answer.status === 401 && detail?.includes('AuthorizationUnsuccessful'))
    throw new ProviderFailure('reconnect', 'A permission is missing at Xero. Please reconnect and allow everything.')
  if (answer.status === 403)
    throw new ProviderFailure('reconnect', 'Xero no longer lets Foyer into this organisation. Please reconnect.')
  throw failureOf(definition.name, answer, detail)
}

export const inOrganisation = (tenant_id: string) => ({ 'xero-tenant-id': tenant_id })
