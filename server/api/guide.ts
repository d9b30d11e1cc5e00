// Guide: the texts in the description of the API: its conventions, its areas, and a line for each call.
import type { Endpoint } from '#contract/endpoint.ts'
import type { Area } from '#contract/permissions.ts'

export const guide = `
Everything that Foyer's own app does goes through these calls.

## First steps

1. Sign in: \`POST /auth/login\` with \`email\` and \`password\` answers \`data.access_token\` and \`data.user\`.
   Where it answers \`data.challenge\` instead, send that with a code to \`POST /auth/second-factor\`.
2. Send the token with each call as \`Authorization: Bearer …\`, and the user's owner type as \`App-Context\`:
   \`customer\`, \`group\` or \`property\`. It grants nothing; it must be the user's own.
3. Ask: \`POST /properties\` with \`{}\` answers the first page of properties.

A program asks with an API key instead, which is made in the profile, or on the page of a group or a property:

\`curl https://…/api/v1/properties -H "Authorization: Bearer foyer_…" -H "Content-Type: application/json" -d '{}'\`

It needs no \`App-Context\`. \`read\`, \`write\` (reads too) and \`full\` (deletes too) hold for all areas, or for one:
\`write:rooms\`. No key reaches users, teams, keys, integrations, billing, undelivered messages, webhooks,
due work, the activity log or \`/auth\`.

Nearly every call is a POST with JSON in and JSON out, also one that only reads. Answers are \`{"data": …}\`, and for
lists \`{"data": […], "meta": {…}}\`. Ids are positive whole numbers; times are ISO 8601 with their offset.

## Lists

A list takes \`per_page\` (50 unless given, at most 200), \`searchValue\`, \`filters\`, \`sort\` (a leading minus turns it
round) and, in \`params\`, the parent whose records are wanted: \`{"params": {"group_id": 3}}\`. It begins with the newest.

For the next page send \`meta.next_cursor\` as \`cursor\` and everything else unchanged, until \`next_cursor\` is null. Send
the first page's \`meta.fetched_at\` as \`lastFetchedAt\`, too: rows made meanwhile then stay out, and \`meta.newer\` counts
them. \`meta.total\` is counted up to 1,000; beyond that \`more\` is true.

Calls that end in \`-list\` give names for dropdowns: GET all of them, POST as a list.

## Changes

An update changes the fields that it names; what is absent stays, and \`null\` clears. With \`was\`, the values that you have
read, it is refused with 409 where somebody else has changed them meanwhile. Calls with \`ids\` do all or nothing.

Send \`Idempotency-Key\` with what must not happen twice: the same key and the same request get the first answer again.

## Refusals

A refusal is \`{"message": …}\`, with \`errors\` for each field that is wrong. 401 means only that the token is missing or
dead. What is out of reach looks like what is not there: 404 for the record itself, 422 for one that a field points at.
A call that gives reach or data away (a key that may delete, a further editor, guests' data) is answered 403 with
\`asks: "password"\` where a person gave theirs over an hour ago: after \`POST /auth/prove\` it goes on. Keys are not asked.

429 and 503 say in \`Retry-After\` how many seconds to wait. New fields may come in answers; pass over what you do not know.
`.trim()

/** The description of a field of this name that has none of its own. */
export const fieldNotes: Record<string, string> = {
  count: 'With `per_page` 0: `meta.total` alone, exact up to 100,000.',
  cursor: '`meta.next_cursor` of the page before.',
  draft: 'Incomplete: it may lack what an active record needs. Activating clears it.',
  exclude_ids: 'Means the same as `excludeIds`.',
  excludeIds: 'Ids of rows that are to be left out.',
  fetched_at: 'When the list was read; send it as `lastFetchedAt` with the pages after it.',
  filters: 'By name, one value or several, any of which may match. An unknown name is refused.',
  lastFetchedAt: '`meta.fetched_at` of the first page: rows made later stay out.',
  more: 'There are more than `total` says.',
  newer: 'Rows made since `lastFetchedAt`.',
  next_cursor: 'Send it as `cursor` for the next page. Null: this is the last one.',
  params: 'The parents whose records are wanted.',
  per_page: 'Rows a page.',
  searchValue: 'Only rows whose text holds this.',
  shouldExclude:
    'With `params.collection_id`: leave out the members of that collection, and what it cannot hold. ' +
    'Among collections, with `params.property_id`: leave out those that hold that property, and those that cannot.',
  sort: 'A leading minus reverses the order.',
  status: '`draft` while incomplete, else `active` or `disabled`.',
  total: 'The matching rows less the excluded ones (with a cursor: those after it), counted up to 1,000.',
  was: 'What you have read in the fields that you change. Where one holds something else by now, the answer is 409.',
}

interface AreaGuide {
  title: string
  description: string
  /** What a record is called in the lines of the usual calls. */
  one: string
  many: string
}

export const areaGuide: Record<Area, AreaGuide> = {
  accounting_integrations: {
    title: 'Accounting integrations',
    description: 'The links to accounting providers, and their contacts.',
    one: 'an accounting integration',
    many: 'accounting integrations',
  },
  accounts: {
    title: 'Accounts',
    description: 'Guests who sign in with a name and a password, in one property.',
    one: 'an account',
    many: 'accounts',
  },
  activity: {
    title: 'Activity',
    description: 'Who did what, when, to which record. It is written with each change and never edited.',
    one: 'a line',
    many: 'what was done',
  },
  api_keys: {
    title: 'API keys',
    description: 'Tokens with which programs ask: of a user, a group or a property.',
    one: 'an API key',
    many: 'API keys',
  },
  billing: {
    title: 'Billing',
    description: 'What each property owes for a period, day by day.',
    one: 'a billing run',
    many: 'billing runs',
  },
  collections: {
    title: 'Collections',
    description:
      "Named sets of properties and team members: the customer's, across groups, or a group's own. Membership changes nobody's rights.",
    one: 'a collection',
    many: 'collections',
  },
  company: {
    title: 'Company',
    description: 'What holds for a customer as a whole: the clock by which its reports are sent.',
    one: 'the company',
    many: 'companies',
  },
  dashboard: {
    title: 'Dashboard',
    description: 'How the service stands right now, within what the caller may see.',
    one: 'the dashboard',
    many: 'the dashboard',
  },
  devices: {
    title: 'Devices',
    description: 'MAC addresses that go online without a login page, in one property. Their list is `/macs`.',
    one: 'a device',
    many: 'devices',
  },
  due_work: {
    title: 'Due work',
    description:
      'Work that is done later, for editors of the customer itself: mails, text messages, report files, drafts in the books. What ' +
      'is waiting says when it will be tried and why it has not been done yet; what was given up can be tried again or dismissed.',
    one: 'a piece of due work',
    many: 'due work',
  },
  events: {
    title: 'Events',
    description:
      'What has happened in the last 30 days, for a program that missed some. The same is posted to webhooks when it happens, under the ' +
      'same `message_id`. Ids and words only: call for the rest.',
    one: 'an event',
    many: 'events',
  },
  gateways: {
    title: 'Gateways',
    description: 'The boxes at a property that ask who may go online. A RADIUS secret is told once, when it is made.',
    one: 'a gateway',
    many: 'gateways',
  },
  groups: {
    title: 'Groups',
    description: 'Properties that are run together, such as the hotels of one brand or region.',
    one: 'a group',
    many: 'groups',
  },
  guest_help: {
    title: 'Help for guests',
    description: 'Why a guest cannot get online, and the calls that would help, for the desk where they stand.',
    one: 'an answer',
    many: 'answers',
  },
  guest_sessions: {
    title: 'Sessions of guests',
    description: 'When each device was online, through which gateway and how much it used, as the gateways report it.',
    one: 'a session',
    many: 'sessions',
  },
  guests: {
    title: 'Guests',
    description: 'People who signed in at a portal by themselves, and what they agreed to.',
    one: 'a guest',
    many: 'guests',
  },
  imports: {
    title: 'Imports',
    description: 'Records from a spreadsheet, checked before anything is written.',
    one: 'an import',
    many: 'imports',
  },
  mac_categories: {
    title: 'MAC categories',
    description: 'What kinds of device there are, and which kinds are kept off the network.',
    one: 'a MAC category',
    many: 'MAC categories',
  },
  marketing_integrations: {
    title: 'Marketing integrations',
    description: 'The links to marketing providers.',
    one: 'a marketing integration',
    many: 'marketing integrations',
  },
  packages: {
    title: 'Packages',
    description: 'What a guest gets: how much data, how fast, for how long, on how many devices. 0 means no limit.',
    one: 'a package',
    many: 'packages',
  },
  portal_footers: {
    title: 'Portal footers',
    description: 'The picture and link under a portal.',
    one: 'a footer',
    many: 'footers',
  },
  portals: {
    title: 'Portals',
    description: 'The pages that guests see before they go online.',
    one: 'a portal',
    many: 'portals',
  },
  properties: {
    title: 'Properties',
    description: 'The buildings whose guests get Wi-Fi.',
    one: 'a property',
    many: 'properties',
  },
  property_interfaces: {
    title: 'Property interfaces',
    description: "The links to properties' own systems (PMS).",
    one: 'an interface',
    many: 'interfaces',
  },
  reference: {
    title: 'Reference data',
    description: 'Look-ups that are the same for everybody, and names of records for dropdowns.',
    one: 'a look-up',
    many: 'look-ups',
  },
  reports: {
    title: 'Reports',
    description:
      'What was used, by whom, where and when: run at once, taken away as a file, or sent by themselves. A report and its ' +
      'schedule are one record; it is saved by the calls that begin with `/scheduled-reports`. Days are each property’s own.',
    one: 'a report',
    many: 'reports',
  },
  room_guests: {
    title: 'Room guests',
    description: 'The people who stay in a room: checked in, moved to another room, and checked out.',
    one: 'a room guest',
    many: 'room guests',
  },
  rooms: {
    title: 'Rooms',
    description: 'What a property lets. A guest or an account in it makes a room occupied.',
    one: 'a room',
    many: 'rooms',
  },
  security: {
    title: 'Security',
    description:
      'Whether the people of a customer need a second factor to sign in. For editors of the customer itself.',
    one: 'the rule',
    many: 'rules',
  },
  sessions: {
    title: 'Signing in',
    description:
      'Signing up, in and out, forgotten passwords, invitations, and switching between the users of one login.',
    one: 'the session',
    many: 'sessions',
  },
  sign_in_attempts: {
    title: 'Sign-in attempts',
    description: 'Who tried to get online and what came of it, with the reason as it is said to the guest.',
    one: 'an attempt',
    many: 'sign-in attempts',
  },
  teams: {
    title: 'Teams',
    description:
      'Named sets of one owner’s users. People invited into a team receive its user type; being in one changes nobody’s rights.',
    one: 'a team',
    many: 'teams',
  },
  undelivered: {
    title: 'Undelivered messages',
    description:
      'Mails and text messages that could not be delivered, for editors of the customer itself. What they said is not kept: it is ' +
      'sent again where it is about (`/users-invite`, `/accounts-send-sign-in`, `/voucher-batches-send`), and leaves the list then.',
    one: 'an undelivered message',
    many: 'undelivered messages',
  },
  users: {
    title: 'Users',
    description: "The operator's own people, each joined to one owner: the customer, a group or a property.",
    one: 'a user',
    many: 'users',
  },
  voucher_batches: {
    title: 'Voucher batches',
    description: 'Codes made together, for one property or a whole group.',
    one: 'a batch',
    many: 'batches',
  },
  vouchers: {
    title: 'Vouchers',
    description:
      'Single codes, and how one stands right now. Asking never uses a voucher up. The desk takes one back and gives it again.',
    one: 'a voucher',
    many: 'vouchers',
  },
  webhooks: {
    title: 'Webhooks',
    description:
      'Addresses that are told what happens, by `POST`, signed by [Standard Webhooks](https://www.standardwebhooks.com). ' +
      'Each event comes ' +
      'at least once, always under the same `webhook-id`; those of one object in the order of their `sequence`. Answer 2xx within ten ' +
      'seconds; otherwise it is tried again for two days, and an address that fails for five days is paused. 410 pauses it at once.',
    one: 'a webhook',
    many: 'webhooks',
  },
}

/** The calls that most areas have, by their name in the contract. */
const usual: Record<string, (area: AreaGuide) => string> = {
  list: ({ many }) => `List ${many}`,
  names: ({ many }) => `Names of all ${many}`,
  nameList: ({ many }) => `List the names of ${many}`,
  get: ({ one }) => `Read ${one}`,
  create: ({ one }) => `Create ${one}`,
  update: ({ one }) => `Update ${one}`,
  activate: ({ one }) => `Activate ${one}`,
  deactivate: ({ many }) => `Disable ${many}`,
  remove: ({ one }) => `Delete ${one}`,
}

/** All others, by path. */
const special: Record<string, string | { GET?: string; POST?: string }> = {
  '/billing-runs-preview': 'What properties owe for a period; nothing is stored',
  '/billing-runs': 'List billing runs',
  '/billing-runs/{id}': 'Read a billing run, with the nights that cannot be billed yet',
  '/billing-runs-create': 'Draft a billing run',
  '/billing-runs-redraft': 'Recalculate a draft',
  '/billing-runs-approve': 'Approve a billing run, which freezes it',
  '/billing-runs-delete/{id}': 'Delete a draft',
  '/billing-runs-export': 'The statement of a billing run, with every night',
  '/billing-runs-push-preview': 'What a push would send of a run; nothing leaves',
  '/billing-runs-push': 'Make drafts of an approved run in the accounting system',
  '/billing-runs-check': 'Look in the books which drafts of a run were deleted there',
  '/billing-invoices': 'List the drafts of billing runs',
  '/billing-lines': 'List billing lines',
  '/billing-nights': 'List the nights of billing lines',
  '/add-team-members/{id}': 'Add people to the team of a collection',
  '/collections-add-properties/{id}': 'Add properties to a collection',
  '/collections-remove-property': 'Take a property out of a collection',
  '/collections-remove-team-member': 'Take somebody out of the team of a collection',
  '/groups-create-api-key': 'Create an API key of a group',
  '/groups-delete-api-key/{id}': 'Delete an API key of a group',
  '/groups-get-api-keys': 'List the API keys of a group',
  '/properties-create-api-key': 'Create an API key of a property',
  '/properties-delete-api-key/{id}': 'Delete an API key of a property',
  '/properties-get-api-keys': 'List the API keys of a property',
  '/user-api-tokens': 'List your own API keys',
  '/user-api-tokens-create': 'Create an API key of your own',
  '/user-api-tokens-delete/{id}': 'Delete an API key of your own',
  '/accounts-delete': 'Delete accounts',
  '/accounts-disconnect-deleted/{propertyId}': 'End the sessions of deleted accounts',
  '/accounts-send-sign-in': 'Mail an account its sign-in',
  '/account-types': 'Account types',
  '/auth-methods': 'Ways to sign in at a portal',
  '/auth/accept-invitation': 'Accept an invitation',
  '/auth/address-to-confirm': 'See which sign-up a link is about',
  '/auth/another-address': 'Give another address in place of one that was taken off',
  '/auth/confirm-address': 'Confirm the address of a sign-up',
  '/auth/not-me': 'Take your address off the sign-up of somebody else',
  '/auth/forgot-password': 'Ask for a mail to reset a password',
  '/auth/language': 'Choose the language of the app',
  '/auth/login': 'Log in',
  '/auth/logout': 'End every session of this login',
  '/auth/me': 'Read who is signed in',
  '/auth/made-since': 'See what you have made since your password was changed',
  '/auth/reset-made-since': 'See what was made, before the password is reset',
  '/auth/password': 'Change your password',
  '/auth/prove': 'Give your password again',
  '/auth/reset-password': 'Set a new password',
  '/auth/second-factor': 'Finish a log-in with the second factor',
  '/auth/second-factor-begin': 'Begin to set up a second factor',
  '/auth/second-factor-confirm': 'Confirm the second factor with its first code',
  '/auth/second-factor-recovery-codes': 'Make new recovery codes',
  '/auth/second-factor-remove': 'Remove the second factor',
  '/auth/second-factor-state': 'Read whether you have a second factor',
  '/auth/send-confirmation': 'Send the link again that confirms an address',
  '/auth/sessions': 'List your sessions',
  '/auth/sessions-end': 'End one of your sessions',
  '/auth/signup': 'Sign up',
  '/auth/switch': 'Switch to another user of this login',
  '/company': 'Read what holds for the company as a whole',
  '/company-update': 'Set the company’s time zone',
  '/security': 'Read what signing in requires',
  '/security-update': 'Require a second factor of everybody',
  '/custom-portals-create': 'Create a portal from a zip of pages',
  '/custom-portals-update': 'Replace the pages of a custom portal, or its name and ways in',
  '/connectivity-types': 'Connectivity types',
  '/countries': 'Countries',
  '/frequency-types': 'Frequency types',
  '/gateways-unregistered': 'List gateways that asked but are not registered',
  '/property-interface-kinds': 'List the settings of each property system',
  '/gateway-kinds': 'List the settings of each make of gateway, and the limits it enforces',
  '/gateways-set-up/{id}': 'What to enter into a gateway',
  '/gateways-check/{id}': 'See how far a test guest gets at a gateway',
  '/sample': 'See what people have added to the sample',
  '/sample-start': 'Make the sample, or bring it up to today',
  '/sample-end': 'Take the sample away',
  '/trial': 'See how far the guest of a trial has got',
  '/trial-start': 'Try a property as a guest, for an hour',
  '/trial-end': 'Take a trial away',
  '/gateways-access-points': 'Accept the access points of a gateway, or drop them',
  '/gateways-secret': 'Make a new RADIUS secret',
  '/gateways-toggle-active': 'Disable or activate a gateway',
  '/gateway-types': 'Gateway types',
  '/import/rooms': 'Import rooms and their guests from a spreadsheet',
  '/import/accounts': 'Import accounts from a spreadsheet',
  '/import/devices': 'Import devices from a spreadsheet',
  '/devices-delete': 'Delete devices',
  '/mac-categories': { GET: 'Names of all MAC categories', POST: 'List MAC categories' },
  '/portal-fonts': 'Portal fonts',
  '/portal-footers': 'Read the footer: a list of one, or of none',
  '/portal-footers-deactivate/{id}': 'Disable the footer',
  '/portal-footers-toggle-active': 'Disable or activate the footer',
  '/portal-layouts': 'Portal layouts',
  '/portal-types': 'Portal types',
  '/portals-delete': 'Delete a portal that no property or group uses',
  '/portals-duplicate': 'Make another portal that looks the same, as a draft',
  '/portals-restore': 'Give a portal an earlier design',
  '/portals-version': 'Read one of the designs that were saved',
  '/portals-versions': 'List the designs of a portal that were saved',
  '/portals-list': { GET: 'Names of all portals', POST: 'List the names of portals' },
  '/properties-bulk-assign-portal': 'Give several properties one portal',
  '/properties-limits': 'Which gateways of properties do not keep all limits of a package, or end a session later',
  '/properties-group-list': { GET: "Names of a group's properties", POST: "List the names of a group's properties" },
  '/property-interface-types': 'Property interface types',
  '/property-interface-toggle-active': 'Disable or activate an interface',
  '/property-interfaces-deactivate': 'Disable an interface',
  '/property-interfaces-sync': 'Ask the system for all stays again',
  '/property-interfaces-try': 'Try a link without a system',
  '/property-interfaces-authorize': 'Go to a system to give consent',
  '/property-interfaces-connect': 'Come back from a system with consent',
  '/property-interfaces-confirm': 'Accept a list that is waiting',
  '/property-interfaces-log/{id}': 'Read what the system said last',
  '/property-types': 'Property types',
  '/room-guests-create': 'Check a guest in',
  '/reports-duplicate': 'Copy a report',
  '/reports-export': 'Export a report as a file, or start a long one (202)',
  '/reports-run': 'Run a report',
  '/report-runs': 'List the runs of reports',
  '/report-runs/{id}': 'Read a run of a report',
  '/report-runs-cancel': 'Cancel a run',
  '/report-runs-download': 'Take the file of a run away',
  '/report-runs-send': 'Mail the file of a run again',
  '/scheduled-reports-run': 'Run a scheduled report now',
  '/scheduled-reports-take-over': 'Take a scheduled report over',
  '/scheduled-reports': 'List what is sent by itself',
  '/scheduled-reports-activate/{id}': 'Activate a scheduled report',
  '/scheduled-reports-deactivate': 'Stop a scheduled report',
  '/scheduled-reports-list': { GET: 'Names of all scheduled reports', POST: 'List names of scheduled reports' },
  '/room-guests-remove': 'Check a guest out',
  '/room-guests-extend': 'Set one departure for several guests',
  '/room-guests-cards': 'Read what guests need to get online',
  '/room-guests-no-show': 'Mark expected guests as no-shows',
  '/room-guests-reinstate': 'Reinstate no-shows',
  '/room-guests-undo': 'Undo what was just done to guests',
  '/attention-mark': 'Say that an entry was dealt with, or put it off',
  '/shift': 'Read what was done at a desk, and its notes',
  '/shift-notes-create': 'Write a note for the next shift',
  '/shift-notes-settle': 'Note that a note was dealt with',
  '/stays-slip': 'Hand out what was used and what is left',
  '/stay-differences': 'List where the system and the desk differ',
  '/stay-differences-accept': 'Accept what the system says',
  '/stay-differences-keep': 'Let ours stay',
  '/stay-differences-ask-again': 'Decide again what was kept',
  '/stays': 'List stays',
  '/stays/{id}': 'Read a stay',
  '/stays-update': 'Give a stay a package, devices or a time',
  '/rooms-create': 'Create a room, or many alike',
  '/rooms-toggle-active': 'Disable or activate a room',
  '/teams-toggle-state': 'Disable or activate a team',
  '/user-types': 'User types',
  '/users-invite': 'Invite a user',
  '/users-invite-team-member': 'Invite several users',
  '/voucher-batches-duplicate': 'Make another batch like this one',
  '/voucher-batches-send': 'Mail codes of a batch',
  '/voucher-batches-export': 'Download the codes of a batch',
  '/imports-problems': 'Download the problems of an import',
  '/imports-problems-of-check': 'Download the problems that a dry run found',
  '/guests-data': 'Download everything that is known of one guest',
  '/guests-known': 'Count what is known of guests',
  '/guests-erase': 'Erase guests’ personal data',
  '/sessions': 'List sessions of guests',
  '/sessions/{id}': 'Read one session of a guest',
  '/sessions-address': 'Find who had an IP address',
  '/sessions-disconnect': 'Disconnect guests',
  '/due-work-kinds': 'Kinds of due work',
  '/due-work-retry': 'Try due work again',
  '/due-work-dismiss': 'Dismiss due work',
  '/webhooks-secret': 'Make a new secret',
  '/webhooks-test': 'Send a test event',
  '/webhooks-replay': 'Send events again',
  '/webhook-deliveries': 'List deliveries to webhooks',
  '/webhook-deliveries-send': 'Send deliveries again',
  '/undelivered-delete': 'Dismiss undelivered messages',
  '/vouchers-validate': 'Check a voucher',
  '/vouchers-deactivate': 'Take codes back',
  '/vouchers-activate/{id}': 'Give a code again',
  '/vouchers/find-by-code/{code}': 'Find a voucher by its code',
}

/** One line for the list of calls; made from the call's name where none is written. */
export function summaryOf(name: string, { area, path, method }: Endpoint): { summary: string } {
  const told = special[path]
  const summary = typeof told === 'string' ? told : told?.[method]
  return { summary: summary ?? usual[name]?.(areaGuide[area]) ?? sentenceCase(name) }
}

/** `sendSignIn` → `Send sign in`. */
const sentenceCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^\w/, (letter) => letter.toUpperCase())
