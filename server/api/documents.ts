// Documents: the OpenAPI description of the API for tools, and the page on which people read it.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { openApi } from '#server/api/openapi.ts'
import type { SchemaJson } from '#server/api/openapi-schemas.ts'
import { patientStart } from '#server/start/patient-start.ts'

export function serveDocuments(app: FastifyInstance, contracts: readonly object[], public_url: string) {
  // Made on first use: it takes longer than all the rest of a start, and is rarely asked for.
  let description: SchemaJson | undefined
  app.get('/api/v1/openapi.json', async () => (description ??= openApi(contracts, public_url)))

  app.get('/api/docs', async (_request, reply) => {
    const { version } = await readerScript()
    return reply.type('text/html; charset=utf-8').header('content-security-policy', contentSecurity).send(page(version))
  })
  app.get('/api/docs/reader.js', async (request, reply) => {
    const { zipped } = await readerScript()
    const takesZipped = /\bgzip\b/.test(String(request.headers['accept-encoding']))
    if (takesZipped) reply.header('content-encoding', 'gzip')
    return reply
      .type('text/javascript; charset=utf-8')
      .header('vary', 'accept-encoding')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(takesZipped ? zipped : await promisify(gunzip)(zipped))
  })
}

/** Only the one script and the styles that it writes into the page; calls that are tried out go to this origin only. */
const contentSecurity = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

/** Scalar reads these from the element's attributes, so that the page needs no inline script. */
const settings = {
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  defaultOpenFirstTag: false,
  operationTitleSource: 'summary',
  orderRequiredPropertiesFirst: true,
  orderSchemaPropertiesBy: 'preserve',
  authentication: {
    preferredSecurityScheme: [['bearer', 'context']],
    securitySchemes: { context: { value: 'customer' } },
  },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

const page = (version: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Foyer API</title>
<link rel="icon" href="/favicon.png">
<style>body { margin: 0 }</style>
</head>
<body>
<noscript>This page needs JavaScript. The description itself is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>
<script id="api-reference" data-url="/api/v1/openapi.json" data-configuration='${JSON.stringify(settings)}'></script>
<script src="/api/docs/reader.js?v=${version}"></script>
</body>
</html>
`

interface Script {
  zipped: Buffer
  version: string
}
let script: Promise<Script> | undefined

/** Four megabytes that are rarely asked for: loaded from their package on first use, and kept compressed. */
async function readerScript(): Promise<Script> {
  script ??= loadScript().catch((error: unknown) => {
    script = undefined
    throw error
  })
  return script
}

/** The package offers its script only by serving it. */
async function loadScript(): Promise<Script> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify(patientStart)
  await server.register(scalar, { routePrefix: '/', configuration: { url: '/' } })
  const { rawPayload, statusCode } = await server.inject('/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`the reader of the API's description answered ${statusCode}`)
  const version = createHash('sha256').update(rawPayload).digest('hex').slice(0, 12)
  return { zipped: await promisify(gzip)(rawPayload), version }
}
