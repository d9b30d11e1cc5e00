// Own paths: makes of gateways that send guests to a fixed path, whatever portal is theirs. They are sent on to the portal of the gateway
// whose own host they came to, else of the one that has the access point; what the redirect says stays a claim, which is checked there.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { GatewayKind } from '#server/gateways/kind.ts'
import { kinds } from '#server/gateways/kinds.ts'
import { labelIn, originOf } from '#server/gateways/portal-hosts.ts'
import { languageOf } from '#server/guest/page.ts'
import { joinPage, unregisteredPage } from '#server/guest/pages.ts'
import type { Services } from '#server/services.ts'

interface Route {
  Params: { site?: string }
}
/** Gateways of makes without sites are found as those of this one. */
const only_site = 'default'

export function serveOwnPaths(
  app: FastifyInstance,
  services: Pick<Services, 'guestDoors' | 'portal_url' | 'portal_domain'>,
) {
  const { guestDoors, portal_url } = services

  async function portalAt(request: FastifyRequest<Route>, makes: readonly GatewayKind[]): Promise<string | null> {
    const label = labelIn(request, services)
    if (label !== null) {
      const [own] = await guestDoors.callFunction(sql<{ public_id: string | null }>`
        select door_portal_of_host(${label}) as public_id`)
      if (own?.public_id) return own.public_id
    }
    const address = `${portal_url}${request.url}`
    const query = Object.fromEntries(new URL(address).searchParams)
    for (const { definition, arrival } of makes) {
      const box = arrival({ address, query })?.gateway_mac ?? null
      if (box === null) continue
      const [found] = await guestDoors.callFunction(sql<{ public_id: string | null }>`
        select door_portal_at(${definition.id}, ${request.params.site ?? only_site}, ${box}::macaddr) as public_id`)
      if (found?.public_id) return found.public_id
    }
    return null
  }
  const serve = (path: string, makes: readonly GatewayKind[], unknown: (request: FastifyRequest) => string) =>
    app.get<Route>(path, async (request, reply: FastifyReply) => {
      const public_id = await portalAt(request, makes)
      const { search } = new URL(request.url, portal_url)
      return public_id === null
        ? reply.type('text/html; charset=utf-8').send(unknown(request))
        : reply.redirect(`${originOf(request, services)}/p/${public_id}${search}`, 303)
    })

  const paths = new Set(kinds.flatMap(({ own_paths = [] }) => own_paths))
  for (const path of paths)
    serve(
      path,
      kinds.filter(({ own_paths }) => own_paths?.includes(path)),
      (request) => unregisteredPage(languageOf(request)),
    )
  serve('/', [], (request) => joinPage(languageOf(request)))
}
