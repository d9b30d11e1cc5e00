// RADIUS operator: a customer with gateways, made over HTTP in the real program.
import { aProperty, password } from '#test/foyer.ts'
import type { Foyer } from '#test/process.ts'

export const guest = { user_name: 'amelia', password: 'a guest password' }

/** Signs up; makes a property, an account for `guest`, and a number of gateways. */
export async function register({ url }: Foyer, gateways: number) {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'app-context': 'customer' }
  const post = async (call: string, body: object) => {
    const response = await fetch(`${url}/api/v1${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
    return (
      (await response.json()) as {
        data: { id: number; access_token: string; nas_identifier: string; radius_secret: string }
      }
    ).data
  }
  const person = { company_name: 'Proof', name: 'Ada', email: 'ada@proof.example', password }
  headers['authorization'] = `Bearer ${(await post('/auth/signup', person)).access_token}`
  const { id: property_id } = await post('/properties-create', aProperty())
  await post('/accounts-create', { name: 'Amelia', username: guest.user_name, password: guest.password, property_id })
  return Promise.all(
    Array.from({ length: gateways }, () => post('/gateways-create', { property_id, gateway_type_id: 13 })),
  )
}
