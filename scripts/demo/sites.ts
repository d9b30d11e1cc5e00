// Sites: where simulated guests go online: the gateways of open properties, with new secrets, and the credentials of their guests.
import { createHash, randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import * as accountCalls from '#contract/accounts.ts'
import { constants } from '#contract/constants.ts'
import type { Endpoint, Input, Reply } from '#contract/endpoint.ts'
import * as gatewayCalls from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import * as voucherCalls from '#contract/vouchers.ts'
import { isSimulated } from '#scripts/simulation/gateway-kinds.ts'
import type { Holder, SimulatedSite } from '#scripts/simulation/site.ts'

interface From {
  /** Calls the API as an editor of the operator. */
  call: <E extends Endpoint>(endpoint: E, ask: Input<E>) => Promise<Reply<E>>
  owner: Client
  customer_id: number
}
interface House {
  id: number
  name: string
  group_id: number | null
  public_id: string
  auth_method_ids: number[]
  gateway_id: number
  gateway_type_id: number
  nas_identifier: string
  mac_address: string
}

const holders_max = 60
const accounts_max = 12

/** The last one gets a wrong secret, as if it was mistyped: nobody gets online there. */
export async function simulatedSites({ call, owner, customer_id }: From): Promise<SimulatedSite[]> {
  const { rows: houses } = await owner.query<House>(
    `select h.id, h.name, h.group_id, p.public_id, p.auth_method_ids, g.id as gateway_id, g.gateway_type_id, g.nas_identifier,
       g.mac_address::text
     from properties h
     join portals p on p.customer_id = h.customer_id and p.id = h.portal_id
     join lateral (select * from gateways g where g.customer_id = h.customer_id and g.property_id = h.id order by id limit 1) g on true
     where h.customer_id = $1 and h.active and not h.draft and g.last_seen_at is null order by h.id`,
    [customer_id],
  )
  const simulated = houses.filter(({ gateway_type_id }) => isSimulated(gateway_type_id))
  // Their guests have been online for 90 days, so each gateway has been heard from; the one with the wrong secret not since.
  await owner.query(
    `update gateways set last_seen_at = now() - case when id = $2 then interval '20 minutes' else random() * interval '2 minutes' end
     where customer_id = $1 and last_seen_at is null`,
    [customer_id, simulated.at(-1)?.gateway_id],
  )
  const sites: SimulatedSite[] = []
  for (const house of simulated) {
    const { data } = await call(gatewayCalls.makeSecret, { id: house.gateway_id })
    const { gateway_id: id, nas_identifier, gateway_type_id, mac_address } = house
    const radius_secret = house === simulated.at(-1) ? `${data.radius_secret}.` : data.radius_secret
    sites.push({
      name: house.name,
      portal_path: `/p/${house.public_id}`,
      gateway: { id, nas_identifier, radius_secret, gateway_type_id, mac_address },
      holders: await holdersOf(house),
    })
  }
  return sites

  async function holdersOf({ id, group_id, auth_method_ids }: House): Promise<Holder[]> {
    const offers = (method: number) => auth_method_ids.includes(method)
    return [
      ...(offers(authMethods.voucher) ? await codesAt(id, group_id) : []),
      ...(offers(authMethods.room) ? await stayingAt(id) : []),
      ...(offers(authMethods.account) ? await accountsAt(id) : []),
      ...(offers(authMethods.free) ? Array.from({ length: 25 }, () => ({ method: authMethods.free, typed: {} })) : []),
    ]
  }

  async function codesAt(property_id: number, group_id: number | null): Promise<Holder[]> {
    const { rows: batches } = await owner.query<{ id: number }>(
      `select b.id from voucher_batches b
       where b.customer_id = $1 and (b.property_id = $2 or (b.property_id is null and b.group_id = $3))
         and b.active and (b.expires_at is null or b.expires_at > now() + interval '1 day')`,
      [customer_id, property_id, group_id],
    )
    const codes: string[] = []
    for (const { id } of batches) {
      const left = {
        params: { voucher_batch_id: id },
        filters: { used: false },
        per_page: constants.list.page_rows_max,
      }
      codes.push(...(await call(voucherCalls.list, left)).data.map(({ code }) => code))
    }
    // Batches of a group are good at each of its properties, which take others of them each.
    const turn = (code: string) => createHash('sha256').update(`${code} ${property_id}`).digest('hex')
    const drawn = codes.toSorted((a, b) => turn(a).localeCompare(turn(b))).slice(0, holders_max)
    return drawn.map((voucher_code) => ({ method: authMethods.voucher, typed: { voucher_code } }))
  }

  async function stayingAt(property_id: number): Promise<Holder[]> {
    const { rows } = await owner.query<{ room_number: string; last_name: string }>(
      `select r.number as room_number, g.last_name from room_guests g
       join rooms r on r.customer_id = g.customer_id and r.id = g.room_id
       where r.customer_id = $1 and r.property_id = $2 and r.active and g.deleted_at is null and g.departs_on > current_date + 1
         and g.checked_in_at is not null
       order by g.id limit $3`,
      [customer_id, property_id, holders_max],
    )
    return rows.map((typed) => ({ method: authMethods.room, typed: { ...typed } }))
  }

  async function accountsAt(property_id: number): Promise<Holder[]> {
    const { rows } = await owner.query<{ id: number; username: string }>(
      `select id, username from accounts where customer_id = $1 and property_id = $2 and active and not draft and deleted_at is null
         and account_type_id = 1 order by id limit $3`,
      [customer_id, property_id, accounts_max],
    )
    const holders: Holder[] = []
    for (const { id, username } of rows) {
      const password = randomBytes(6).toString('base64url')
      await call(accountCalls.update, { id, password })
      holders.push({ method: authMethods.account, typed: { username, password } })
    }
    return holders
  }
}
