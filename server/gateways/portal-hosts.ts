// Portal hosts: where PORTAL_HOSTS is set, each gateway has a host of its own for guests' pages. A redirect that comes there is of that
// gateway, as far as the guest says; so makes that name neither gateway nor portal reach theirs. A host that is no gateway's shows what any
// other does.
import { sql } from 'kysely'

interface Where {
  portal_url: string
  portal_domain: string | null
}
/** A request, of which the name it was sent to is asked. */
interface Asked {
  hostname: string
}

/** As the database makes them: nobody guesses one, so nobody finds out who has a gateway. */
const is_label = /^[\da-f]{20}$/

/** The host's label of a gateway; null: everybody's host. */
export function labelIn({ hostname }: Asked, { portal_domain }: Where): string | null {
  const host = hostname.toLowerCase()
  if (portal_domain === null || !host.endsWith(`.${portal_domain}`)) return null
  const label = host.slice(0, -portal_domain.length - 1)
  return is_label.test(label) ? label : null
}

/** Scheme and port are those of everybody's host. */
function around({ portal_url, portal_domain }: Where): [before: string, after: string] {
  const { protocol, port } = new URL(portal_url)
  return [`${protocol}//`, `.${portal_domain}${port === '' ? '' : `:${port}`}`]
}

/** What the addresses of guests' pages start with at the host that a request came to. */
export const originOf = (request: Asked, where: Where): string => originAt(labelIn(request, where), where)

/** @param label of a gateway that may have no host of its own yet */
export const originAt = (label: string | null, where: Where): string =>
  label === null || where.portal_domain === null ? where.portal_url : around(where).join(label)

/** The same of a gateway, as SQL over a row `t` of `gateways`. Those that a backfill has not reached yet have no host of their own. */
export function originOfGateway(where: Where) {
  if (where.portal_domain === null) return sql<string>`${where.portal_url}::text`
  const [before, after] = around(where)
  return sql<string>`coalesce(${before}::text || t.portal_label || ${after}::text, ${where.portal_url}::text)`
}
