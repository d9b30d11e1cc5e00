// API app: the API, its description and the admin web app, on an origin of their own. Encapsulated: its parsers, errors,
// headers and authentication are its own, and guests' pages share none of it.
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { openAuthenticator } from '#server/access/authenticate.ts'
import { dueWorks } from '#server/apps/due-work.ts'
import { serveDocuments } from '#server/api/documents.ts'
import { handleError, handleNothing } from '#server/api/refusals.ts'
import { mount, type Resource } from '#server/api/serve.ts'
import { serveWebApp } from '#server/api/web-app.ts'
import { serveImportTemplates } from '#server/files/import-templates.ts'
import { servePortalSample } from '#server/files/portal-zips/sample.ts'
import { serveFonts } from '#server/guest/fonts.ts'
import accountingIntegrations from '#server/resources/accounting-integrations.ts'
import accounts from '#server/resources/accounts.ts'
import activity from '#server/resources/activity.ts'
import addressConfirmation from '#server/resources/address-confirmation.ts'
import apiKeys from '#server/resources/api-keys.ts'
import auth from '#server/resources/auth.ts'
import billingInvoices from '#server/resources/billing-invoices.ts'
import billingRuns from '#server/resources/billing-runs.ts'
import collections from '#server/resources/collections.ts'
import company from '#server/resources/company.ts'
import connections from '#server/resources/connections.ts'
import customPortals from '#server/resources/custom-portals.ts'
import dashboard from '#server/resources/dashboard.ts'
import devices from '#server/resources/devices.ts'
import dueWork from '#server/resources/due-work.ts'
import events from '#server/resources/events.ts'
import gatewayKinds from '#server/resources/gateway-kinds.ts'
import gateways from '#server/resources/gateways.ts'
import groups from '#server/resources/groups.ts'
import guestHelp from '#server/resources/guest-help/guest-help.ts'
import guests from '#server/resources/guests.ts'
import holidaySuggestions from '#server/resources/holiday-suggestions.ts'
import imports from '#server/resources/imports.ts'
import macCategories from '#server/resources/mac-categories.ts'
import madeSince from '#server/resources/made-since.ts'
import marketingIntegrations from '#server/resources/marketing-integrations.ts'
import occupancyNights from '#server/resources/occupancy-nights.ts'
import ownSignIn from '#server/resources/own-sign-in.ts'
import packages from '#server/resources/packages.ts'
import portalFooters from '#server/resources/portal-footers.ts'
import portals from '#server/resources/portals.ts'
import properties from '#server/resources/properties.ts'
import propertyHolidays from '#server/resources/property-holidays.ts'
import propertyInterfaceKinds from '#server/resources/property-interface-kinds.ts'
import propertyInterfaces from '#server/resources/property-interfaces.ts'
import reference from '#server/resources/reference.ts'
import reportRuns from '#server/resources/report-runs.ts'
import reports from '#server/resources/reports.ts'
import roomGuests from '#server/resources/room-guests.ts'
import rooms from '#server/resources/rooms.ts'
import samples from '#server/resources/samples.ts'
import scheduledReports from '#server/resources/scheduled-reports.ts'
import security from '#server/resources/security.ts'
import sessions from '#server/resources/sessions.ts'
import shift from '#server/resources/guest-help/shift.ts'
import signInAttempts from '#server/resources/sign-in-attempts.ts'
import stayDifferences from '#server/resources/stay-differences.ts'
import stays from '#server/resources/stays.ts'
import teams from '#server/resources/teams.ts'
import today from '#server/resources/guest-help/today.ts'
import trials from '#server/resources/trials.ts'
import undelivered from '#server/resources/undelivered.ts'
import users from '#server/resources/users.ts'
import voucherBatches from '#server/resources/voucher-batches.ts'
import vouchers from '#server/resources/vouchers.ts'
import webhooks from '#server/resources/webhooks.ts'
import type { Services } from '#server/services.ts'
import type { Config } from '#server/start/config.ts'

export interface ApiOptions {
  config: Config
  services: Services
  /** The built web app, or null to serve the API alone. */
  webRoot: string | null
  checkAnswers: boolean
}

/** In the order in which the description of the API shows them. */
export const resourcesOf = (services: Services): Resource[] => [
  accountingIntegrations(services),
  accounts(services),
  activity,
  addressConfirmation(services),
  apiKeys,
  billingInvoices(services),
  billingRuns,
  collections,
  company,
  connections(services),
  dashboard(services),
  devices(services),
  dueWork(dueWorks, services),
  events,
  gateways(services),
  gatewayKinds(services),
  guestHelp(services),
  shift,
  today(services),
  sessions(services),
  guests(services),
  signInAttempts,
  groups,
  holidaySuggestions(services),
  imports(services),
  macCategories,
  madeSince(services),
  marketingIntegrations(services),
  occupancyNights,
  ownSignIn(services),
  packages(services),
  portalFooters(services),
  portals(services),
  customPortals(services),
  properties(services),
  propertyHolidays,
  propertyInterfaceKinds(services),
  propertyInterfaces(services),
  reference,
  reports(services),
  reportRuns(services),
  scheduledReports(services),
  roomGuests(services),
  stayDifferences(services),
  stays(services),
  rooms,
  security,
  auth(services),
  teams,
  samples(services),
  trials(services),
  undelivered,
  users(services),
  voucherBatches(services),
  vouchers(services),
  webhooks(services),
]

export async function apiApp(app: FastifyInstance, { config, services, webRoot, checkAnswers }: ApiOptions) {
  app.setErrorHandler(handleError)
  takeJsonOnly(app)
  await app.register(helmet, {
    contentSecurityPolicy: { directives: contentSecurity(config) },
    hsts: config.public_url.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
  })
  // Answers are for one person only; no shared cache may keep them. A page that may be cached sets its own header.
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })

  const resources = resourcesOf(services)
  const { tenancy, turns, disk, seal, fingerprint, queue, public_url } = services
  const authenticator = openAuthenticator(tenancy, {
    session_idle_s: config.session_idle_ms / 1000,
    requests_per_minute: config.requests_per_minute,
  })
  const options = { tenancy, turns, disk, seal, fingerprint, queue, public_url, authenticator, checkAnswers }
  for (const resource of resources) mount(app, endpointsTaking(resource, 'json'), options)
  await app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers()
    await uploads.register(multipart)
    for (const resource of resources) mount(uploads, endpointsTaking(resource, 'multipart'), options)
  })

  serveDocuments(
    app,
    resources.map(({ contract }) => contract),
    config.public_url,
  )
  serveImportTemplates(app)
  servePortalSample(app)
  serveFonts(app)
  if (webRoot === null) app.setNotFoundHandler(handleNothing)
  else await serveWebApp(app, webRoot, services)
}

const endpointsTaking = (resource: Resource, takes: 'json' | 'multipart'): Resource => ({
  ...resource,
  endpoints: resource.endpoints.filter(([endpoint]) => endpoint.takes === takes),
})

/** Only JSON is accepted, so that no other site's form can post here. An absent body is an empty object. */
function takeJsonOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(String(body)))
    } catch (error) {
      done(Object.assign(error as Error, { statusCode: 400 }))
    }
  })
}

const contentSecurity = ({ public_url, portal_url }: Config) => ({
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // Mantine sets sizes in style attributes.
  styleSrc: ["'self'", "'unsafe-inline'"],
  fontSrc: ["'self'"],
  // Customers' uploads are served from the guests' origin.
  imgSrc: ["'self'", 'data:', 'blob:', portal_url],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  upgradeInsecureRequests: public_url.startsWith('https:') ? [] : null,
})
