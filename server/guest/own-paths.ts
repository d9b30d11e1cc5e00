// Own paths: makes of gateways that send guests to a fixed path of the portal's origin, whatever portal is theirs. They are sent on to the
// portal of the gateway that has the access point; what it says stays a claim, which is checked there.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { kinds } from '#server/gateways/kinds.ts'
import { languageOf } from '#server/guest/page.ts'
import { unregisteredPage } from '#server/guest/pages.ts'
import type { Services } from '#server/services.ts'

export function serveOwnPaths(app: FastifyInstance, { guestDoors, portal_url }: Services) {
  for (const kind of kinds) {
    const path = kind.portal?.own_path
    if (path === undefined) continue
    app.get<{ Params: { site: string } }>(path, async (request, reply) => {
      const address = `${portal_url}${request.url}`
      const query = Object.fromEntries(new URL(address).searchParams)
      const box = kind.arrival({ address, query })?.gateway_mac ?? null
      const [found] =
        box === null
          ? []
          : await guestDoors.callFunction(sql<{ public_id: string | null }>`
              select door_portal_at(${kind.definition.id}, ${request.params.site}, ${box}::macaddr) as public_id`)
      if (found?.public_id) return reply.redirect(`${portal_url}/p/${found.public_id}${new URL(address).search}`, 303)
      return reply.type('text/html; charset=utf-8').send(unregisteredPage(languageOf(request)))
    })
  }
}
