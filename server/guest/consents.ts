// Consents: stores the wording that a guest agreed to, as it was then, and says what still holds.
import { sql } from 'kysely'
import { marketingPurposes } from '#contract/guests.ts'
import { authMethods } from '#contract/portals.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Holder } from '#server/admission/holders.ts'
import type { Tried } from '#server/guest/ways/way.ts'

/** Stores each wording once for each guest and device; marketing only if it was ticked. */
export async function storeConsents(scope: Scope, { gateway, guest, fields, method }: Tried, holder: Holder) {
  const agreed = [
    { purpose: 'terms', wording: gateway.terms, terms_version: gateway.terms_version },
    {
      purpose: method === authMethods.sms ? 'marketing_sms' : 'marketing_email',
      wording: fields['marketing'] === '1' ? gateway.marketing_text : null,
    },
  ]
  const guest_id = holder.kind === 'guest' ? holder.id : null
  for (const { purpose, wording, terms_version } of agreed) {
    if (wording === null) continue
    const [before] = await scope.run(sql`
      select from consent_records as t where t.mac_address = ${guest.mac_address}::macaddr and t.purpose = ${purpose}
        and t.portal_id = ${gateway.portal_id} and t.wording = ${wording} and t.withdrawn_at is null
        and t.guest_id is not distinct from ${guest_id}::bigint
        and ${scope.inReach('consent_records', 't')} limit 1`)
    if (before) continue
    await scope.insert('consent_records', {
      purpose,
      wording,
      terms_version,
      guest_id,
      portal_id: gateway.portal_id,
      property_id: gateway.property_id,
      gateway_id: gateway.id,
      auth_method_id: method,
      language: guest.language,
      method: 'checkbox',
      ip: guest.ip,
      mac_address: guest.mac_address,
      user_agent: guest.user_agent?.slice(0, 500) ?? null,
    })
  }
}

/**
 * What the guest of an access pass `t` has agreed to be sent, and has not withdrawn. Null where it is not proven who they are: they are no
 * guest of their own, the address that they typed is not confirmed, or the gateway has not reported their device online by that pass. Where
 * a controller is called to let them in, or nobody is asked, whose device it is was only claimed.
 */
export const agreedToBySql = sql<string[] | null>`
  (select array(select r.wording from consent_records as r where r.customer_id = g.customer_id and r.guest_id = g.id
      and r.purpose = any(${marketingPurposes}) and r.withdrawn_at is null group by r.wording order by min(r.id))
    from guests as g where g.customer_id = t.customer_id and g.id = t.guest_id and g.deleted_at is null
      and (g.confirmed_at is not null or coalesce(g.email, g.mobile_number) is null)
      and exists (select from radius_sessions as n where n.customer_id = t.customer_id and n.mac_address = t.mac_address
        and n.gateway_id = t.gateway_id and n.username = t.username)
      and not exists (select from controller_grants as c where c.customer_id = t.customer_id and c.access_pass_id = t.id))`
