// App: puts the services together: the database, the authenticator, every resource by name, the web app's files.
import path from 'node:path'
import { readFile } from 'node:fs/promises'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { refusals } from '#contract/errors.ts'
import type { Config } from '#server/start/config.ts'
import { openAuthenticator } from '#server/access/authenticate.ts'
import { serveSamples } from '#server/files/samples.ts'
import type { Services } from '#server/services.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { openMailer, sendMail } from '#server/mail/outbox.ts'
import { openApi } from '#server/api/openapi.ts'
import { handleBadAddress, handleError } from '#server/api/refusals.ts'
import accounts from '#server/resources/accounts.ts'
import activity from '#server/resources/activity.ts'
import dashboard from '#server/resources/dashboard.ts'
import groups from '#server/resources/groups.ts'
import imports from '#server/resources/imports.ts'
import packages from '#server/resources/packages.ts'
import properties from '#server/resources/properties.ts'
import reference from '#server/resources/reference.ts'
import sessions from '#server/resources/sessions.ts'
import users from '#server/resources/users.ts'
import voucherBatches from '#server/resources/voucher-batches.ts'
import vouchers from '#server/resources/vouchers.ts'
import { openSeal } from '#server/access/seal.ts'
import { mount, type Resource } from '#server/api/serve.ts'
import { openTenancy, type Tenancy, type TenancyOptions } from '#server/access/tenancy.ts'

export interface AppOptions {
  config: Config
  /** Seals what the database keeps of other systems' secrets. */
  secretKey: string
  appUrl: string
  /** The built web app, or null to serve the API alone. */
  webRoot: string | null
  /** Tests hold every answer against the contract, and take the first wall away to see the second one stand. */
  checkAnswers?: boolean
  tenancy?: TenancyOptions
}

export const resourcesOf = (services: Services): Resource[] => [
  accounts(services),
  activity,
  dashboard,
  groups,
  imports(services),
  packages,
  properties,
  reference,
  sessions(services),
  users(services),
  voucherBatches(services),
  vouchers(services),
]

export async function buildApp({ config, secretKey, appUrl, webRoot, checkAnswers = false, ...options }: AppOptions) {
  const tenancy = openTenancy(appUrl, options.tenancy)
  const queue = await openQueue(appUrl, tenancy, config.roles.includes('jobs'))
  const app = Fastify({
    logger: false,
    bodyLimit: 256 * 1024,
    requestTimeout: 30_000,
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    frameworkErrors: handleBadAddress,
  })
  app.addHook('onClose', async () => {
    await queue.stop()
    await tenancy.close()
  })
  app.setErrorHandler(handleError)
  takeJsonOnly(app)
  await app.register(helmet, {
    contentSecurityPolicy: { directives: contentSecurity(config.public_url) },
    hsts: config.public_url.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
  })
  await app.register(multipart)
  app.decorateRequest('visitor', null)

  const services: Services = {
    tenancy,
    queue,
    seal: openSeal(secretKey),
    public_url: config.public_url,
    signup: config.signup,
  }
  const resources = config.roles.includes('api') ? resourcesOf(services) : []
  const authenticator = openAuthenticator(tenancy, config.session_idle_ms / 1000)
  for (const resource of resources) mount(app, resource, { tenancy, authenticator, seal: services.seal, checkAnswers })

  serveHealth(app, tenancy)
  if (config.roles.includes('api')) {
    await serveDocuments(app, resources, config.public_url)
    serveSamples(app)
  }
  await serveWeb(app, webRoot, () => signUpIsOpen(config, tenancy))
  if (config.roles.includes('jobs')) await startJobs(config, tenancy, queue)

  return { app, isEmpty: await isEmpty(tenancy) }
}

async function isEmpty(tenancy: Tenancy): Promise<boolean> {
  const [row] = await tenancy.door(sql<{ empty: boolean }>`select door_is_empty() as empty`)
  return row?.empty ?? false
}

const signUpIsOpen = async (config: Config, tenancy: Tenancy) =>
  config.signup === 'open' || (config.signup === 'first' && (await isEmpty(tenancy)))

/** Everything is JSON, so that no other site's form can post here. An absent body is an empty object. */
function takeJsonOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(body as string))
    } catch (error) {
      done(Object.assign(error as Error, { statusCode: 400 }))
    }
  })
}

const contentSecurity = (public_url: string) => ({
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // Mantine sets its measures as style attributes.
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  upgradeInsecureRequests: public_url.startsWith('https:') ? [] : null,
})

/** `/healthz` says that the process lives and does no work; `/readyz` that the database answers. */
function serveHealth(app: FastifyInstance, tenancy: Tenancy) {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await tenancy.ping()
    return { status: 'ready' }
  })
}

async function serveDocuments(app: FastifyInstance, resources: Resource[], public_url: string) {
  const document = openApi(resources, public_url)
  app.get('/api/v1/openapi.json', async () => document)
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'none', tagsSorter: 'alpha' },
  })
}

/** The web app: its files, and its one page for every other address that a browser may open. */
async function serveWeb(app: FastifyInstance, webRoot: string | null, signUp: () => Promise<boolean>) {
  const nothing = (reply: { code(status: number): { send(body: object): unknown } }) =>
    reply.code(404).send({ message: refusals.notFound.message })
  if (webRoot === null) {
    app.setNotFoundHandler((_request, reply) => nothing(reply))
    return
  }
  const page = await readFile(path.join(webRoot, 'index.html'), 'utf8')
  await app.register(fastifyStatic, {
    root: webRoot,
    index: false,
    wildcard: false,
    preCompressed: true,
    // Names under assets/ carry a hash of their content.
    setHeaders: (reply, file) =>
      void reply.header(
        'cache-control',
        file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  })
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage =
      request.method === 'GET' &&
      !/^\/(api|files|p)\//.test(request.url) &&
      !/\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (!wantsPage) return nothing(reply)
    const open = await signUp().catch(() => true)
    reply.type('text/html').header('cache-control', 'no-cache')
    return page.replace(/(<meta name="foyer-signup" content=")[^"]*"/, `$1${open ? 'open' : 'closed'}"`)
  })
}

async function startJobs(config: Config, tenancy: Tenancy, queue: Services['queue']) {
  const mailer = openMailer({
    smtp_url: config.smtp_url,
    mail_from: config.mail_from,
    outbox_dir: path.join(config.data_dir, 'outbox'),
  })
  await queue.work('mail', sendMail(tenancy, mailer))
  await queue.work('cleanup', async () => void (await tenancy.door(sql`select door_sweep()`)))
  await queue.schedule('cleanup', '*/15 * * * *')
}
