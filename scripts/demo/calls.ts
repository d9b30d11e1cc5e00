// Calls of the demo: what a user would do goes through the API, as that user.
import type { FastifyInstance } from 'fastify'
import type { Endpoint, Input, Reply } from '#contract/endpoint.ts'
import { pathFields } from '#contract/endpoint.ts'
import type * as auth from '#contract/auth.ts'
import { bytesOf, formOf } from '#test/uploads.ts'

export interface Person {
  token: string
  context: string
  customer_id: number
}

export type Call = ReturnType<typeof callsOf>

export const callsOf =
  (app: Pick<FastifyInstance, 'inject'>) =>
  async <E extends Endpoint>(endpoint: E, ask: Input<E>, who?: Person): Promise<Reply<E>> => {
    const body = ask as Record<string, unknown>
    const url = pathFields(endpoint.path).reduce(
      (text, name) => text.replace(`{${name}}`, String(body[name])),
      endpoint.path,
    )
    const form = endpoint.takes === 'multipart' ? await bytesOf(formOf(body)) : null
    const headers = {
      'content-type': form?.type ?? 'application/json',
      ...(who ? { authorization: `Bearer ${who.token}`, 'app-context': who.context } : {}),
    }
    const response = await app.inject({
      method: endpoint.method,
      url: `/api/v1${url}`,
      headers,
      payload: form?.bytes ?? JSON.stringify(body),
    })
    if (response.statusCode >= 300)
      throw new Error(`${endpoint.path} answered ${response.statusCode}: ${response.body}`)
    return response.json()
  }

export const asPerson = ({ access_token, user }: Reply<typeof auth.secondFactor>['data']): Person => ({
  token: access_token,
  context: user.owner_type.toLowerCase(),
  customer_id: user.customer.id,
})
