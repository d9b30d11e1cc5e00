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
import accountingIntegrations from '#server/resources/integrations/accounting-integrations.ts'
import accounts from '#server/resources/accounts/accounts.ts'
import activity from '#server/resources/user-profile/activity.ts'
import addressConfirmation from '#server/resources/auth/address-confirmation.ts'
import apiKeys from '#server/resources/api-keys/api-keys.ts'
import auth from '#server/resources/auth/auth.ts'
import billingInvoices from '#server/resources/billing/billing-invoices.ts'
import billingRuns from '#server/resources/billing/billing-runs.ts'
import collections from '#server/resources/collections/collections.ts'
import company from '#server/resources/user-profile/company.ts'
import connections from '#server/resources/connections/connections.ts'
import customPortals from '#server/resources/portals/custom-portals.ts'
import dashboard from '#server/resources/dashboard/dashboard.ts'
import devices from '#server/resources/devices/devices.ts'
import dueWork from '#server/resources/due-work/due-work.ts'
import events from '#server/resources/events/events.ts'
import gatewayKinds from '#server/resources/gateways/gateway-kinds.ts'
import gateways from '#server/resources/gateways/gateways.ts'
import groups from '#server/resources/groups/groups.ts'
import guestHelp from '#server/resources/guest-help/guest-help.ts'
import guests from '#server/resources/guests/guests.ts'
import holidaySuggestions from '#server/resources/property-holidays/holiday-suggestions.ts'
import imports from '#server/resources/imports/imports.ts'
import macCategories from '#server/resources/mac-categories/mac-categories.ts'
import madeSince from '#server/resources/auth/made-since.ts'
import marketingIntegrations from '#server/resources/integrations/marketing-integrations.ts'
import occupancyNights from '#server/resources/billing/occupancy-nights.ts'
import ownSignIn from '#server/resources/user-profile/own-sign-in.ts'
import packages from '#server/resources/packages/packages.ts'
import portalFooters from '#server/resources/portal-footers/portal-footers.ts'
import portals from '#server/resources/portals/portals.ts'
import properties from '#server/resources/properties/properties.ts'
import propertyHolidays from '#server/resources/property-holidays/property-holidays.ts'
import propertyInterfaceKinds from '#server/resources/property-interfaces/property-interface-kinds.ts'
import propertyInterfaces from '#server/resources/property-interfaces/property-interfaces.ts'
import reference from '#server/resources/reference/reference.ts'
import reportRuns from '#server/resources/reports/report-runs.ts'
import reports from '#server/resources/reports/reports.ts'
import roomGuests from '#server/resources/room-guests/room-guests.ts'
import rooms from '#server/resources/rooms/rooms.ts'
import samples from '#server/resources/samples/samples.ts'
import scheduledReports from '#server/resources/reports/scheduled-reports.ts'
import security from '#server/resources/user-profile/security.ts'
import sessions from '#server/resources/sessions/sessions.ts'
import shift from '#server/resources/guest-help/shift.ts'
import signInAttempts from '#server/resources/sign-in-attempts/sign-in-attempts.ts'
import stayDifferences from '#server/resources/stay-differences/stay-differences.ts'
import stays from '#server/resources/stays/stays.ts'
import teams from '#server/resources/teams/teams.ts'
import today from '#server/resources/guest-help/today.ts'
import trials from '#server/resources/gateways/trials.ts'
import undelivered from '#server/resources/undelivered/undelivered.ts'
import users from '#server/resources/users/users.ts'
import voucherBatches from '#server/resources/voucher-batches/voucher-batches.ts'
import vouchers from '#server/resources/vouchers/vouchers.ts'
import webhooks from '#server/resources/webhooks/webhooks.ts'
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
  today,
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
