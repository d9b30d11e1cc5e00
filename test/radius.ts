// Gateways under test: a Foyer that answers RADIUS, and gateways that send it requests.
import type { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { status_type } from '#server/radius-codec/dictionary.ts'
import type { TestDatabase } from '#test/database.ts'
import { openFoyer } from '#test/foyer.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'

/** A Foyer that answers RADIUS, with an editor who has gateways. */
export async function openRadius(roles = 'api,radius', database?: TestDatabase) {
  const foyer = await openFoyer({ env: { ROLES: roles }, ...(database && { database }) })
  if (!foyer.radius) throw new Error('no role')
  const ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  const admin = await connect(foyer.database.adminUrl)
  const editor = await foyer.customer()
  const opened: TestGateway[] = []
  return {
    foyer,
    ports,
    admin,
    editor,
    /** A gateway of the property: its record, and the client that sends its requests. */
    async gatewayAt(property_id: number, gateway_type_id = 13) {
      const made = await foyer.gateway(editor, { property_id, gateway_type_id })
      const gateway = await openGateway(ports, made)
      opened.push(gateway)
      return { made, gateway }
    },
    async close() {
      await Promise.all(opened.map((gateway) => gateway.close()))
      await admin.end()
      await foyer.close()
    },
  }
}
export type TestRadius = Awaited<ReturnType<typeof openRadius>>

/** For all tests of a file: call it at the top; `opened` is called before the first test. */
export function withRadius(opened: (radius: TestRadius) => void, roles?: string) {
  let radius: TestRadius
  beforeAll(async () => {
    radius = await openRadius(roles)
    opened(radius)
  })
  afterAll(() => radius.close())
}

/** Lets a gateway report its current clock: from then on a timestamp of an hour ago means a report of an hour ago. */
export const showClock = (gateway: TestGateway) =>
  gateway.report({
    acct_status_type: status_type.accounting_on,
    event_timestamp: Math.floor(Date.now() / 1000),
    acct_delay_time: 48 * 3600,
  })

/** As if the Accept with this Class, and the session since, had begun so much earlier: no report reaches back before it. */
export async function letInEarlier(admin: Pick<Client, 'query'>, mark: string | undefined, seconds: number) {
  const earlier = [Number(mark?.replace('foyer-', '')), seconds]
  const by = '- make_interval(secs => $2)'
  await admin.query(`update radius_authorisations set created_at = created_at ${by} where id = $1`, earlier)
  await admin.query(
    `update radius_sessions set accepted_at = accepted_at ${by}, started_at = started_at ${by}, last_seen_at = last_seen_at ${by}
     where authorisation_id = $1`,
    earlier,
  )
}
