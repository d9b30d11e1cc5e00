// Documents: the description of the API for tools, and the page on which people read it.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApi } from '#server/api/openapi.ts'
import type { Resource } from '#server/api/serve.ts'

export async function serveDocuments(app: FastifyInstance, resources: Resource[], public_url: string) {
  const document = openApi(resources, public_url)
  app.get('/api/v1/openapi.json', async () => document)
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'none', tagsSorter: 'alpha' },
  })
}
