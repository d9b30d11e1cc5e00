// Area guide: what each area of the API is about, and what its records are called.
import type { Area } from '#contract/permissions.ts'

export interface AreaGuide {
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
    description: 'Tokens for programs: those of a user, a group or a property.',
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
    description: 'Settings of a customer as a whole: the clock by which its reports are sent.',
    one: 'the company',
    many: 'companies',
  },
  connections: {
    title: 'Connections',
    description:
      'Connections to the systems of other companies, of every kind, with the status of each. Some kinds have calls of their own ' +
      '(`/connection-kinds` says which); the others are connected here, by a key or by consent.',
    one: 'a connection',
    many: 'connections',
  },
  dashboard: {
    title: 'Dashboard',
    description: 'The state of the service right now, within what the caller may see.',
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
      'Work that is done later, for editors of the customer itself: mails, text messages, report files, drafts in the books. Work that ' +
      'is waiting says when it is tried next and why it is not done yet; work that was given up can be tried again or dismissed.',
    one: 'a piece of due work',
    many: 'due work',
  },
  events: {
    title: 'Events',
    description:
      'What has happened in the last 30 days, for programs that missed something. Webhooks get the same events as they happen, under the ' +
      'same `message_id`. Events only contain ids and words: call for the rest.',
    one: 'an event',
    many: 'events',
  },
  gateways: {
    title: 'Gateways',
    description: 'The boxes at a property that ask who may go online. A RADIUS secret is shown once, when it is made.',
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
      'What was used, by whom, where and when: run right away, exported as a file, or sent on a schedule. A report and its ' +
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
    description: 'The rooms of a property. A room is occupied when a guest or an account is in it.',
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
    description: 'Who tried to get online and with what result, with the reason as the guest reads it.',
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
      'Mails and text messages that could not be delivered, for editors of the customer itself. Their text is not kept: ' +
      'send each again by the call that it came from (`/users-invite`, `/accounts-send-sign-in`, `/voucher-batches-send`), and it leaves ' +
      'the list.',
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
      'Single codes and their present state. Checking a voucher never uses it up. The desk can take a code back and give it again.',
    one: 'a voucher',
    many: 'vouchers',
  },
  webhooks: {
    title: 'Webhooks',
    description:
      'Addresses that are notified of events by `POST`, signed by [Standard Webhooks](https://www.standardwebhooks.com). ' +
      'Each event comes ' +
      'at least once, always under the same `webhook-id`; those of one object in the order of their `sequence`. Answer 2xx within ten ' +
      'seconds; otherwise it is tried again for two days, and an address that fails for five days is paused. 410 pauses it at once.',
    one: 'a webhook',
    many: 'webhooks',
  },
}
