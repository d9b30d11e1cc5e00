// The settings: environment variables, checked once at start-up. A key of Config is its variable in lower case.

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { day_ms } from '#contract/days.ts'
import { asPooled } from '#server/start/database-address.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { least_characters, type Keys } from '#server/start/secret-key.ts'
import {
  address,
  database,
  duration,
  isNetwork,
  isWebAddress,
  secretKeysIn,
  list,
  origin,
  perDay,
  postgres,
  storage,
  textSetting,
  web,
  whole,
} from '#server/start/setting-kinds.ts'

const log_levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof log_levels)[number]

const roles = ['api', 'guest', 'radius', 'jobs'] as const
export type NodeRole = (typeof roles)[number]
export const isRole = (word: unknown): word is NodeRole => roles.some((role) => role === word)
export type Config = ReturnType<typeof readConfig>
/** What one customer may do in a day. */
export type Quotas = Config['quotas']

type Environment = Record<string, string | undefined>

/** The least of `KEEP_HOT`: what is not older is never packed. */
export const hot_days_min = 60
/** Sessions are packed by whole months. */
const month_max_ms = 31 * day_ms

const settings = z.object({
  PORT: whole(0, 65_535).prefault('3000'),
  HOST: textSetting().prefault('127.0.0.1'),
  DATA_DIR: textSetting().prefault('./data'),
  DATABASE_URL: database().optional(),
  DATABASE_OWNER_URL: database().optional(),
  DATABASE_AUTH_URL: database().optional(),
  DATABASE_GUEST_URL: database().optional(),
  DATABASE_DIRECT_URL: database().optional(),
  DATABASE_READ_URL: postgres().optional(),
  DATABASE_CONNECTIONS: whole(40, 10_000).optional(),
  BACKUP_URL: storage().optional(),
  BACKUP_RECIPIENT: list(
    /^age1[a-z0-9]{50,4000}$/,
    'must be the public key that age-keygen shows, such as age1…, or several with commas between them',
  ).prefault(''),
  PUBLIC_URL: origin('https://wifi.example.com', 'the app is served at the root of its host').optional(),
  PORTAL_PORT: whole(0, 65_535).optional(),
  PORTAL_URL: origin('https://guests.example.net', "guests' pages are served at the root of their host").optional(),
  PORTAL_HOSTS: textSetting()
    .toLowerCase()
    .regex(
      /^\*(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?){2,}$/,
      'must be one name with a star in front, such as *.portal.example: each gateway gets a name of its own there',
    )
    .transform((pattern) => pattern.slice(2))
    .optional(),
  SIGNUP: z.enum(['first', 'open', 'closed'], 'must be first, open or closed').prefault('first'),
  SMTP_URL: address(['smtp:', 'smtps:'], 'smtps://login:password@mail.example.com').optional(),
  MAIL_FROM: textSetting()
    .regex(/^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/, 'must be a sender such as Foyer <wifi@example.com>')
    .prefault('Foyer <foyer@localhost>'),
  SMS_URL: textSetting()
    .refine(
      (value) => isWebAddress(value),
      'must be an address such as https://sms.example.com/send, without a name or password in it',
    )
    .optional(),
  SMS_TOKEN: textSetting().optional(),
  STORAGE_URL: storage().optional(),
  SECRET_KEY: textSetting()
    .transform((value): Keys => secretKeysIn(value))
    .refine(
      (keys) => keys.every((key) => key.length >= least_characters),
      'must have at least 32 characters, each key where there are several with commas between them; ' +
        '`openssl rand -base64 32` makes one',
    )
    .optional(),
  ROLES: list(/^(all|api|guest|radius|jobs)$/, 'must be all, or some of api, guest, radius and jobs')
    .refine((given) => given.length > 0, 'must name at least one of api, guest, radius and jobs, or all')
    .transform((given) => roles.filter((role) => given.includes('all') || given.includes(role)))
    .prefault('all'),
  RADIUS_HOST: textSetting().optional(),
  RADIUS_AUTH_PORT: whole(1, 65_535).optional(),
  RADIUS_ACCT_PORT: whole(1, 65_535).optional(),
  RADIUS_HTTP_PORT: whole(1, 65_535).optional(),
  RADIUS_HTTP_HOST: textSetting().prefault('127.0.0.1'),
  RADIUS_HTTP_TOKEN: textSetting()
    .regex(/^[\w.~-]{32,}$/, 'must have at least 32 letters, digits and .~_-; `openssl rand -hex 32` makes one')
    .optional(),
  SFTP_PORT: whole(1, 65_535).optional(),
  SFTP_HOST: textSetting().optional(),
  METRICS_PORT: whole(1, 65_535).optional(),
  LOG_FORMAT: z.enum(['auto', 'json', 'text'], 'must be auto, json or text').prefault('auto'),
  LOG_LEVEL: z.enum(log_levels, `must be one of ${log_levels.join(', ')}`).optional(),
  KEEP_SESSIONS: duration('1d', '3650d').prefault('365d'),
  KEEP_HOT: duration(`${hot_days_min}d`, '3650d').optional(),
  KEEP_ATTEMPTS: duration('1d', '3650d').prefault('30d'),
  KEEP_REPORT_FILES: duration('1d', '3650d').prefault('30d'),
  KEEP_SUMS: duration('30d', '3650d').prefault('3650d'),
  KEEP_ACTIVITY: duration('90d', '3650d').prefault('1095d'),
  REPORT_ROWS_AT_ONCE: whole(0, 10_000_000).prefault('50000'),
  SESSION_IDLE: duration('1m', '12h').prefault('4h'),
  TRUSTED_PROXIES: list(isNetwork, 'must be addresses or networks such as 10.0.0.0/8, or loopback, or none')
    .refine((given) => given.length < 2 || !given.includes('none'), 'must be none alone, or without it')
    .prefault(''),
  ALLOWED_HOSTS: list(/^[\w.:[\]-]+$/, 'must be host names or addresses such as gateway.lan or 10.0.0.5:8443').prefault(
    '',
  ),
  REQUESTS_PER_MINUTE: whole(1, 1_000_000).prefault('1200'),
  QUOTA_CODES: perDay('500000'),
  QUOTA_INVITATIONS: perDay('100'),
  QUOTA_MAILS: perDay('10000'),
  QUOTA_TEXTS: perDay('1000'),
  QUOTA_UPLOADS_MB: perDay('2000'),
  QUOTA_EXPORTS: perDay('1000'),
  DISK_RESERVE_MB: whole(0, 1_000_000).prefault('500'),
  XERO_CLIENT_ID: textSetting().optional(),
  XERO_CLIENT_SECRET: textSetting().optional(),
  XERO_SCOPES: textSetting().prefault(
    'offline_access accounting.invoices accounting.contacts accounting.settings.read',
  ),
  XERO_LOGIN_URL: web('https://login.xero.com').prefault('https://login.xero.com'),
  XERO_TOKEN_URL: web('https://identity.xero.com').prefault('https://identity.xero.com'),
  XERO_API_URL: web('https://api.xero.com').prefault('https://api.xero.com'),
  APALEO_CLIENT_ID: textSetting().optional(),
  APALEO_CLIENT_SECRET: textSetting().optional(),
  APALEO_LOGIN_URL: web('https://identity.apaleo.com').prefault('https://identity.apaleo.com'),
  APALEO_API_URL: web('https://api.apaleo.com').prefault('https://api.apaleo.com'),
  CLOUDBEDS_CLIENT_ID: textSetting().optional(),
  CLOUDBEDS_CLIENT_SECRET: textSetting().optional(),
  CLOUDBEDS_API_URL: web('https://api.cloudbeds.com').prefault('https://api.cloudbeds.com'),
  MEWS_CLIENT_TOKEN: textSetting().optional(),
  MAILCHIMP_CLIENT_ID: textSetting().optional(),
  MAILCHIMP_CLIENT_SECRET: textSetting().optional(),
  MAILCHIMP_LOGIN_URL: web('https://login.mailchimp.com').prefault('https://login.mailchimp.com'),
  MAILCHIMP_API_URL: web('https://us1.api.mailchimp.com').optional(),
})

/** Reads the settings, or refuses with one sentence for each bad one, all of them together. */
export function readConfig(env: Environment) {
  // `PORT=` in a shell or an env file means "not set".
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const { data, error } = settings.safeParse(given)
  const addresses = data && addressesOf(data)
  const problems = [
    ...(error?.issues ?? []).map((issue) => sentence(issue, given)),
    ...contradictions(given),
    ...(addresses ? clashes(addresses, data) : []),
  ]
  if (!data || !addresses || problems.length > 0)
    throw new CannotStart(`These settings must be corrected first:\n- ${problems.join('\n- ')}`)

  const data_dir = path.resolve(data.DATA_DIR)
  const login = (url: string | undefined) => {
    if (url === undefined) return null
    return data.DATABASE_DIRECT_URL === undefined ? url : asPooled(url)
  }
  return {
    ...addresses,
    host: data.HOST,
    data_dir,
    database_url: login(data.DATABASE_URL),
    /** Null: `database_url` leads to the database itself; else to a pooler, for which all that needs a connection of its own goes here. */
    database_direct_url: data.DATABASE_DIRECT_URL ?? null,
    database_owner_url: data.DATABASE_OWNER_URL ?? null,
    /** Null: the app's login is also used for calls before a customer is known, and for guests' pages. */
    database_auth_url: login(data.DATABASE_AUTH_URL),
    database_guest_url: login(data.DATABASE_GUEST_URL),
    /** Null: reports, exports and dashboards are read from the database itself. */
    database_read_url: data.DATABASE_READ_URL ?? null,
    /** The domain in which each gateway has a host of its own; null: guests of all gateways come to `portal_url`. */
    portal_domain: data.PORTAL_HOSTS ?? null,
    /** How many connections a node may open to the database; null: the usual number. */
    connections: data.DATABASE_CONNECTIONS ?? null,
    /** Whose identities open backups; without any, backups are not encrypted. */
    backup_recipients: data.BACKUP_RECIPIENT,
    /** Where the log of the embedded database is archived; null: nowhere. */
    backup_url: data.BACKUP_URL ?? null,
    signup: data.SIGNUP,
    /** Null: mails are written to `data_dir`/outbox. */
    smtp_url: data.SMTP_URL ?? null,
    mail_from: data.MAIL_FROM,
    /** Null: text messages are written to `data_dir`/outbox. */
    sms_url: data.SMS_URL ?? null,
    sms_token: data.SMS_TOKEN ?? null,
    storage_url: data.STORAGE_URL ?? pathToFileURL(path.join(data_dir, 'files')).href,
    /** Null: made on the first start and kept in `data_dir`. */
    secret_keys: data.SECRET_KEY ?? null,
    roles: data.ROLES,
    ...forBoxes(data, addresses),
    /** Null: no metrics are served. */
    metrics_port: data.METRICS_PORT ?? null,
    log_format: data.LOG_FORMAT,
    /** Null: according to the format: all requests if programs read the log, only problems at a terminal. */
    log_level: data.LOG_LEVEL ?? null,
    session_idle_ms: data.SESSION_IDLE,
    /** How long guests' sessions, and sign-in attempts and sent messages, are kept. */
    sessions_kept_ms: data.KEEP_SESSIONS,
    attempts_kept_ms: data.KEEP_ATTEMPTS,
    /** After how long sessions are packed; null: never. */
    sessions_hot_ms: data.KEEP_HOT ?? null,
    /** How long the files of reports can be downloaded. */
    report_files_kept_ms: data.KEEP_REPORT_FILES,
    /** How long sums of sessions by day and hour are kept; never shorter than single sessions. */
    sums_kept_ms: data.KEEP_SUMS,
    /** How long lines of the activity log are kept. */
    activity_kept_ms: data.KEEP_ACTIVITY,
    /** A report with more rows is made by a job, and its file can be downloaded later. */
    report_rows_at_once: data.REPORT_ROWS_AT_ONCE,
    trusted_proxies: data.TRUSTED_PROXIES.filter((proxy) => proxy !== 'none'),
    allowed_hosts: data.ALLOWED_HOSTS,
    /** Per principal. */
    requests_per_minute: data.REQUESTS_PER_MINUTE,
    quotas: {
      codes: data.QUOTA_CODES,
      invitations: data.QUOTA_INVITATIONS,
      mails: data.QUOTA_MAILS,
      texts: data.QUOTA_TEXTS,
      uploaded_bytes: data.QUOTA_UPLOADS_MB * 1_000_000,
      exports: data.QUOTA_EXPORTS,
    },
    /** Nothing is added while less of the disk is free; 0: not checked. */
    disk_reserve_bytes: data.DISK_RESERVE_MB * 1_000_000,
    ...providersOf(data),
    clients: clientsIn(given),
  }
}

type Data = z.output<typeof settings>

/** Where gateways and properties' systems reach this installation. */
function forBoxes(data: Data, addresses: ReturnType<typeof addressesOf>) {
  return {
    radius_host: data.RADIUS_HOST ?? data.HOST,
    /** The host that gateways are to use: the one set, unless that stands for every address of the machine. */
    radius_name:
      data.RADIUS_HOST && !['0.0.0.0', '::'].includes(data.RADIUS_HOST)
        ? data.RADIUS_HOST
        : new URL(addresses.public_url).hostname,
    /** Null: the built-in front of RADIUS listens nowhere. */
    radius_ports:
      data.RADIUS_AUTH_PORT && data.RADIUS_ACCT_PORT
        ? { access: data.RADIUS_AUTH_PORT, accounting: data.RADIUS_ACCT_PORT }
        : null,
    /** Null: FreeRADIUS cannot call. */
    radius_http:
      data.RADIUS_HTTP_PORT && data.RADIUS_HTTP_TOKEN
        ? { port: data.RADIUS_HTTP_PORT, host: data.RADIUS_HTTP_HOST, token: data.RADIUS_HTTP_TOKEN }
        : null,
    /** Null: files of properties' systems are not received by SFTP. */
    sftp_port: data.SFTP_PORT ?? null,
    sftp_host: data.SFTP_HOST ?? data.HOST,
    /** The host that senders are to use. */
    sftp_name:
      data.SFTP_HOST && !['0.0.0.0', '::'].includes(data.SFTP_HOST)
        ? data.SFTP_HOST
        : new URL(addresses.public_url).hostname,
  }
}

/** Other companies' systems: where they are, and what this installation is to them. */
function providersOf(data: Data) {
  return {
    /** Null: this provider is not offered. */
    xero:
      data.XERO_CLIENT_ID && data.XERO_CLIENT_SECRET
        ? {
            client_id: data.XERO_CLIENT_ID,
            client_secret: data.XERO_CLIENT_SECRET,
            scopes: data.XERO_SCOPES,
            login_url: data.XERO_LOGIN_URL,
            token_url: data.XERO_TOKEN_URL,
            api_url: data.XERO_API_URL,
          }
        : null,
    /** Of properties: where those of the cloud are, and what this installation is to them. */
    systems: {
      apaleo: {
        client: clientOf(data.APALEO_CLIENT_ID, data.APALEO_CLIENT_SECRET),
        login_url: data.APALEO_LOGIN_URL,
        api_url: data.APALEO_API_URL,
      },
      cloudbeds: {
        client: clientOf(data.CLOUDBEDS_CLIENT_ID, data.CLOUDBEDS_CLIENT_SECRET),
        api_url: data.CLOUDBEDS_API_URL,
      },
      mews: { client_token: data.MEWS_CLIENT_TOKEN ?? null },
    },
    mailchimp:
      data.MAILCHIMP_CLIENT_ID && data.MAILCHIMP_CLIENT_SECRET
        ? {
            client_id: data.MAILCHIMP_CLIENT_ID,
            client_secret: data.MAILCHIMP_CLIENT_SECRET,
            login_url: data.MAILCHIMP_LOGIN_URL,
            /** Null: the data centre that Mailchimp names when an account is connected. */
            api_url: data.MAILCHIMP_API_URL ?? null,
          }
        : null,
  }
}

export interface OAuthClient {
  client_id: string
  client_secret: string
}
/** What this installation is to other companies, by their word in the names of settings: `<WORD>_CLIENT_ID`, `<WORD>_CLIENT_SECRET`. */
function clientsIn(given: Environment): Record<string, OAuthClient> {
  const words = Object.keys(given).flatMap((name) => /^(.+)_CLIENT_ID$/.exec(name)?.[1] ?? [])
  return Object.fromEntries(
    words.flatMap((word) => {
      const client = clientOf(given[`${word}_CLIENT_ID`], given[`${word}_CLIENT_SECRET`])
      return client ? [[word, client]] : []
    }),
  )
}

/** Null: people cannot give consent there. */
const clientOf = (client_id: string | undefined, client_secret: string | undefined): OAuthClient | null =>
  client_id && client_secret ? { client_id, client_secret } : null

/** Where the applications listen, and the beginnings of their addresses, without a slash at the end like every address here. */
function addressesOf({ PORT, PORTAL_PORT, PUBLIC_URL, PORTAL_URL }: Data) {
  // 0 leaves the choice to the start, which then reads the settings again.
  const portal_port = PORTAL_PORT ?? (PORT === 0 ? 0 : PORT + 1)
  return {
    port: PORT,
    portal_port,
    public_url: PUBLIC_URL ?? `http://localhost:${PORT}`,
    portal_url: PORTAL_URL ?? `http://localhost:${portal_port}`,
  }
}

/** Customers' uploads must never run with the rights of the admin app, so guests' pages have an origin of their own. */
function clashes(
  { port, portal_port, public_url, portal_url }: ReturnType<typeof addressesOf>,
  { METRICS_PORT, SFTP_PORT, RADIUS_HTTP_PORT, PORTAL_HOSTS, KEEP_SESSIONS, KEEP_HOT, KEEP_SUMS }: Data,
): string[] {
  if (port !== 0 && port === portal_port) return ["PORTAL_PORT must differ from PORT: guests' pages listen apart."]
  if (METRICS_PORT !== undefined && [port, portal_port].includes(METRICS_PORT))
    return ['METRICS_PORT must differ from PORT and PORTAL_PORT: metrics are not for everyone.']
  if (SFTP_PORT !== undefined && [port, portal_port, METRICS_PORT].includes(SFTP_PORT))
    return ['SFTP_PORT must differ from PORT, PORTAL_PORT and METRICS_PORT: files are received apart.']
  if (RADIUS_HTTP_PORT !== undefined && [port, METRICS_PORT, SFTP_PORT].includes(RADIUS_HTTP_PORT))
    return ['RADIUS_HTTP_PORT must differ from PORT, METRICS_PORT and SFTP_PORT: whoever asks there is told secrets.']
  if (portal_port > 65_535) return ['PORTAL_PORT is needed: the port after PORT does not exist.']
  if (KEEP_SUMS < KEEP_SESSIONS)
    return ['KEEP_SUMS must not be shorter than KEEP_SESSIONS: reports of sessions are added up from their sums.']
  if (KEEP_HOT !== undefined && KEEP_HOT + month_max_ms > KEEP_SESSIONS)
    return ['KEEP_HOT must be shorter than KEEP_SESSIONS by 31d, or sessions are deleted before their month is packed.']
  const { origin, hostname } = new URL(public_url)
  if (PORTAL_HOSTS !== undefined && `.${hostname}`.endsWith(`.${PORTAL_HOSTS}`))
    return ["PORTAL_HOSTS must not contain PUBLIC_URL's host: guests' pages must not act as the admin app."]
  // Port 0 is still to be chosen.
  if (origin !== 'http://localhost:0' && origin === new URL(portal_url).origin)
    return ["PORTAL_URL must have another origin than PUBLIC_URL: guests' pages must not act as the admin app."]
  return []
}

/** Problems between variables. */
function contradictions(given: Environment): string[] {
  const without = (name: string, other: string) => Boolean(given[name] && !given[other])
  const problems: string[] = []
  if (without('DATABASE_URL', 'SECRET_KEY'))
    problems.push('SECRET_KEY is needed with DATABASE_URL: every node must seal and open with the same key.')
  if (without('DATABASE_OWNER_URL', 'DATABASE_URL'))
    problems.push('DATABASE_OWNER_URL is only of use with DATABASE_URL, the login that the app itself uses.')
  for (const [name, other] of [
    ['DATABASE_AUTH_URL', 'DATABASE_GUEST_URL'],
    ['DATABASE_GUEST_URL', 'DATABASE_AUTH_URL'],
  ] as const) {
    if (without(name, other)) problems.push(`${name} needs ${other} beside it: each login has its own part.`)
    if (without(name, 'DATABASE_URL')) problems.push(`${name} is only of use with DATABASE_URL.`)
  }
  if (without('DATABASE_DIRECT_URL', 'DATABASE_URL'))
    problems.push('DATABASE_DIRECT_URL is only of use with DATABASE_URL, where that leads to a pooler.')
  if (without('DATABASE_READ_URL', 'DATABASE_URL'))
    problems.push('DATABASE_READ_URL is only of use with DATABASE_URL, the database of which it is a copy.')
  if (without('BACKUP_URL', 'BACKUP_RECIPIENT'))
    problems.push('BACKUP_RECIPIENT is needed with BACKUP_URL: what leaves the machine is encrypted to it.')
  if (given['BACKUP_URL'] && given['DATABASE_URL'])
    problems.push('BACKUP_URL is for the embedded database: the log of DATABASE_URL is archived by its own means.')
  // Behind an unknown proxy all users of the installation would have one address, and be locked out together.
  if (/^\s*https:/i.test(given['PUBLIC_URL'] ?? '') && !given['TRUSTED_PROXIES'])
    problems.push(
      'TRUSTED_PROXIES is needed with an https PUBLIC_URL: the address of the proxy that ends TLS, or none where there is none.',
    )
  if (without('RADIUS_AUTH_PORT', 'RADIUS_ACCT_PORT') || without('RADIUS_ACCT_PORT', 'RADIUS_AUTH_PORT'))
    problems.push('RADIUS_AUTH_PORT and RADIUS_ACCT_PORT are needed together.')
  else if (given['RADIUS_AUTH_PORT'] && given['RADIUS_AUTH_PORT'] === given['RADIUS_ACCT_PORT'])
    problems.push('RADIUS_AUTH_PORT and RADIUS_ACCT_PORT must be two ports.')
  if (without('SMS_TOKEN', 'SMS_URL'))
    problems.push('SMS_TOKEN is only of use with SMS_URL, the address that it is sent to.')
  if (without('RADIUS_HTTP_PORT', 'RADIUS_HTTP_TOKEN') || without('RADIUS_HTTP_TOKEN', 'RADIUS_HTTP_PORT'))
    problems.push('RADIUS_HTTP_PORT and RADIUS_HTTP_TOKEN are needed together: whoever asks there is told secrets.')
  for (const provider of Object.keys(settings.shape).flatMap((name) => /^(.+)_CLIENT_ID$/.exec(name)?.[1] ?? []))
    if (
      without(`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`) ||
      without(`${provider}_CLIENT_SECRET`, `${provider}_CLIENT_ID`)
    )
      problems.push(`${provider}_CLIENT_ID and ${provider}_CLIENT_SECRET are needed together.`)
  return problems
}

function sentence(issue: z.core.$ZodIssue, given: Environment): string {
  const name = String(issue.path[0])
  // Addresses may hold passwords, and a start-up message ends up in logs.
  const shown = /KEY|SECRET|TOKEN|URL/.test(name) ? '' : `, not "${given[name]}"`
  return `${name} ${issue.message}${shown}.`
}
