// The settings: defaults, and a clear message for each bad one.

import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/start/config.ts'
import { hostsOf } from '#server/start/database-address.ts'

const refused = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('these settings were accepted')
}

describe('without any variable', () => {
  const config = readConfig({})

  test('Foyer serves on localhost with an embedded database in ./data', () => {
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      data_dir: path.resolve('data'),
      database_url: null,
      secret_keys: null,
      public_url: 'http://localhost:3000',
      portal_port: 3001,
      portal_url: 'http://localhost:3001',
      storage_url: pathToFileURL(path.resolve('data', 'files')).href,
      signup: 'first',
      roles: ['api', 'guest', 'radius', 'jobs'],
      session_idle_ms: 4 * 60 * 60 * 1000,
      requests_per_minute: 1200,
    })
  })

  test('no proxy is trusted and no provider is offered', () => {
    expect(config).toMatchObject({
      trusted_proxies: [],
      allowed_hosts: [],
      xero: null,
      mailchimp: null,
      smtp_url: null,
    })
  })
})

test('the daily quotas of a customer are generous, except for invitations', () => {
  expect(readConfig({})).toMatchObject({
    quotas: {
      codes: 500_000,
      invitations: 100,
      mails: 10_000,
      texts: 1000,
      uploaded_bytes: 2_000_000_000,
      exports: 1000,
    },
    disk_reserve_bytes: 500_000_000,
  })
  expect(readConfig({ QUOTA_UPLOADS_MB: '5', DISK_RESERVE_MB: '0' })).toMatchObject({
    quotas: { uploaded_bytes: 5_000_000 },
    disk_reserve_bytes: 0,
  })
  expect(refused({ QUOTA_CODES: '0' })).toContain('QUOTA_CODES must be a whole number from 1 to 1000000000, not "0".')
  expect(refused({ DISK_RESERVE_MB: 'much' })).toContain('DISK_RESERVE_MB must be a whole number from 0 to')
})

test('files are in a folder of the machine or in a bucket, whose address has no key', () => {
  const bucket = 's3://wifi-files/foyer?endpoint=https://s3.example.com:9000&region=eu-central-1'
  for (const url of ['file:/srv/files', 's3://wifi-files', bucket])
    expect(readConfig({ STORAGE_URL: url }).storage_url).toBe(url)
  for (const url of [
    's3://key:secret@wifi-files',
    's3://wifi-files?secret=a',
    's3://wifi-files?endpoint=s3.example.com',
  ])
    expect(refused({ STORAGE_URL: url })).toContain('STORAGE_URL must be s3://bucket')
  expect(refused({ STORAGE_URL: 'file:files' })).toContain('STORAGE_URL must name a folder of this machine')
  expect(refused({ STORAGE_URL: 'https://s3.example.com' })).toContain('STORAGE_URL must be an address such as file:')
})

test('an empty variable is the same as none', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}))
})

test('addresses lose the slash at their end', () => {
  const config = readConfig({
    PUBLIC_URL: 'https://wifi.example.com/',
    PORTAL_URL: 'https://guests.example.net/',
    TRUSTED_PROXIES: 'none',
  })
  expect(config.public_url).toBe('https://wifi.example.com')
  expect(config.portal_url).toBe('https://guests.example.net')
})

test("guests' pages listen at the next port, unless another one is named", () => {
  expect(readConfig({ PORT: '4000' })).toMatchObject({ portal_port: 4001, portal_url: 'http://localhost:4001' })
  expect(readConfig({ PORT: '4000', PORTAL_PORT: '80' })).toMatchObject({
    portal_port: 80,
    portal_url: 'http://localhost:80',
  })
})

test('an https address needs TRUSTED_PROXIES, which may be none', () => {
  const address = { PUBLIC_URL: 'https://wifi.example.com', PORTAL_URL: 'https://guests.example.net' }
  expect(refused(address)).toContain('TRUSTED_PROXIES is needed with an https PUBLIC_URL')
  expect(readConfig({ ...address, TRUSTED_PROXIES: 'none' }).trusted_proxies).toEqual([])
  expect(readConfig({ ...address, TRUSTED_PROXIES: '10.0.0.1' }).trusted_proxies).toEqual(['10.0.0.1'])
  expect(refused({ TRUSTED_PROXIES: 'none, 10.0.0.1' })).toContain('TRUSTED_PROXIES must be none alone')
})

test('gateways have hosts of their own in a domain that is not the app’s', () => {
  expect(readConfig({}).portal_domain).toBeNull()
  const apart = { PUBLIC_URL: 'http://notportal.example', PORTAL_HOSTS: '*.Portal.example' }
  expect(readConfig(apart).portal_domain).toBe('portal.example')
})

test('a port that is still to be chosen does not clash', () => {
  expect(readConfig({ PORT: '0' })).toMatchObject({ port: 0, portal_port: 0 })
})

test('a time may be the least and the longest, and nothing beyond', () => {
  const kept = (KEEP_SESSIONS: string) => readConfig({ KEEP_SESSIONS, KEEP_SUMS: '3650d' }).sessions_kept_ms
  for (const days of [1, 3650]) expect(kept(`${days}d`)).toBe(days * 86_400_000)
  for (const days of [0, 3651]) expect(() => kept(`${days}d`)).toThrow('KEEP_SESSIONS must be a time from 1d to 3650d')
})

test('sessions are packed after 60 days at the earliest, and before they are deleted', () => {
  const hot = (KEEP_HOT: string) => readConfig({ KEEP_HOT, KEEP_SESSIONS: '120d' }).sessions_hot_ms
  for (const days of [60, 89]) expect(hot(`${days}d`)).toBe(days * 86_400_000)
  expect(() => hot('59d')).toThrow('KEEP_HOT must be a time from 60d to 3650d')
  for (const days of [90, 120]) expect(() => hot(`${days}d`)).toThrow('KEEP_HOT must be shorter than KEEP_SESSIONS')
})

test('sums are kept at least as long as the sessions that they add up', () => {
  const env = { KEEP_SESSIONS: '800d', KEEP_SUMS: '730d' }
  expect(() => readConfig(env)).toThrow('KEEP_SUMS must not be shorter than KEEP_SESSIONS')
  expect(readConfig({ ...env, KEEP_SUMS: '800d' }).sums_kept_ms).toBe(800 * 86_400_000)
})

test.each([
  [{ PORT: '4000', PORTAL_PORT: '4000' }, 'PORTAL_PORT must differ from PORT'],
  [{ PORT: '65535' }, 'PORTAL_PORT is needed'],
  [{ PORT: '4000', METRICS_PORT: '4001' }, 'METRICS_PORT must differ'],
  [{ METRICS_PORT: '4000', SFTP_PORT: '4000' }, 'SFTP_PORT must differ'],
  ...['PORT', 'METRICS_PORT', 'SFTP_PORT'].map((other): [Record<string, string>, string] => [
    { RADIUS_HTTP_TOKEN: 'x'.repeat(32), RADIUS_HTTP_PORT: '4000', [other]: '4000' },
    'RADIUS_HTTP_PORT must differ',
  ]),
  [{ PUBLIC_URL: 'https://a.example', PORTAL_URL: 'https://a.example' }, 'PORTAL_URL must have another origin'],
  [{ PUBLIC_URL: 'https://a.example', PORTAL_URL: 'https://A.example:443/' }, 'PORTAL_URL must have another origin'],
  [{ PUBLIC_URL: 'http://localhost:3001' }, 'PORTAL_URL must have another origin'],
  [{ PORTAL_HOSTS: '*.wifi.example', PUBLIC_URL: 'http://wifi.example' }, 'PORTAL_HOSTS must not contain'],
  [{ PORTAL_HOSTS: '*.Wifi.example', PUBLIC_URL: 'http://app.wifi.example:81' }, 'PORTAL_HOSTS must not contain'],
])('ports and origins that clash are refused: %j', (env, expected) => {
  expect(refused(env)).toContain(expected)
})

test('lists are split at commas and spaces', () => {
  const config = readConfig({
    ROLES: 'jobs, api',
    TRUSTED_PROXIES: '10.0.0.0/8,::1 loopback',
    ALLOWED_HOSTS: 'nas.lan:8443',
  })
  expect(config.roles).toEqual(['api', 'jobs'])
  expect(config.trusted_proxies).toEqual(['10.0.0.0/8', '::1', 'loopback'])
  expect(config.allowed_hosts).toEqual(['nas.lan:8443'])
})

test.each([
  ['45m', 45 * 60_000],
  ['90s', 90_000],
  ['12h', 12 * 3_600_000],
])('SESSION_IDLE=%s is %i ms', (given, ms) => {
  expect(readConfig({ SESSION_IDLE: given }).session_idle_ms).toBe(ms)
})

test.each([
  ['PORT', '80a', 'PORT must be a whole number from 0 to 65535, not "80a".'],
  ['PORT', '70000', 'PORT must be a whole number from 0 to 65535, not "70000".'],
  ['PORT', '1.5', 'PORT must be a whole number from 0 to 65535, not "1.5".'],
  ['PUBLIC_URL', 'wifi.example.com', 'PUBLIC_URL must be an address such as https://wifi.example.com.'],
  [
    'PUBLIC_URL',
    'https://a.example/admin',
    'PUBLIC_URL must not have a path: the app is served at the root of its host.',
  ],
  ['SIGNUP', 'yes', 'SIGNUP must be first, open or closed, not "yes".'],
  ['PORTAL_PORT', '-1', 'PORTAL_PORT must be a whole number from 0 to 65535, not "-1".'],
  ['PORTAL_HOSTS', 'portal.example', 'PORTAL_HOSTS must be one name with a star in front, such as *.portal.example'],
  ['PORTAL_HOSTS', 'https://*.portal.example', 'PORTAL_HOSTS must be one name with a star in front'],
  ['PORTAL_HOSTS', '*.example', 'PORTAL_HOSTS must be one name with a star in front'],
  ['PORTAL_HOSTS', 'a.*.portal.example', 'PORTAL_HOSTS must be one name with a star in front'],
  ['PORTAL_URL', 'guests.example.net', 'PORTAL_URL must be an address such as https://guests.example.net.'],
  [
    'PORTAL_URL',
    'https://a.example/p',
    "PORTAL_URL must not have a path: guests' pages are served at the root of their host.",
  ],
  ['METRICS_PORT', 'yes', 'METRICS_PORT must be a whole number from 1 to 65535, not "yes".'],
  ['LOG_FORMAT', 'xml', 'LOG_FORMAT must be auto, json or text, not "xml".'],
  ['LOG_LEVEL', 'all', 'LOG_LEVEL must be one of debug, info, warn, error, silent, not "all".'],
  ['ROLES', 'api,web', 'ROLES must be all, or some of api, guest, radius and jobs, not "api,web".'],
  ['ROLES', ',', 'ROLES must name at least one of api, guest, radius and jobs, or all, not ",".'],
  ['SESSION_IDLE', '4 hours', 'SESSION_IDLE must be a time from 1m to 12h, such as 45m or 4h, not "4 hours".'],
  ['SESSION_IDLE', '2d', 'SESSION_IDLE must be a time from 1m to 12h, such as 45m or 4h, not "2d".'],
  [
    'TRUSTED_PROXIES',
    '10.0.0.0/33',
    'TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, or loopback, or none, not "10.0.0.0/33".',
  ],
  ['MAIL_FROM', 'Foyer', 'MAIL_FROM must be a sender such as Foyer <wifi@example.com>, not "Foyer".'],
  ['MAIL_FROM', 'a@b.example\r\nBcc: c@d.example', 'MAIL_FROM must be a sender'],
  ['XERO_CLIENT_ID', 'abc', 'XERO_CLIENT_ID and XERO_CLIENT_SECRET are needed together.'],
  ['RADIUS_HTTP_PORT', '3799', 'RADIUS_HTTP_PORT and RADIUS_HTTP_TOKEN are needed together'],
  ['RADIUS_HTTP_TOKEN', 'short', 'RADIUS_HTTP_TOKEN must have at least 32 letters, digits'],
  ['DATABASE_OWNER_URL', 'postgres://a@b/c', 'DATABASE_OWNER_URL is only of use with DATABASE_URL'],
  ['DATABASE_READ_URL', 'postgres://a@b/c', 'DATABASE_READ_URL is only of use with DATABASE_URL'],
  ['DATABASE_DIRECT_URL', 'postgres://a@b/c', 'DATABASE_DIRECT_URL is only of use with DATABASE_URL'],
  ['BACKUP_URL', 'file:/mnt/elsewhere', 'BACKUP_RECIPIENT is needed with BACKUP_URL'],
  ['DATABASE_URL', 'postgres://a@b/c', 'SECRET_KEY is needed with DATABASE_URL'],
])('%s=%j is refused', (name, value, expected) => {
  expect(refused({ [name]: value })).toContain(expected)
})

test('all bad settings are reported together', () => {
  const message = refused({ PORT: 'x', SIGNUP: 'maybe', DATABASE_URL: 'postgres://a@b/c' })
  expect(message.split('\n')).toEqual([
    'These settings must be corrected first:',
    '- PORT must be a whole number from 0 to 65535, not "x".',
    '- SIGNUP must be first, open or closed, not "maybe".',
    '- SECRET_KEY is needed with DATABASE_URL: every node must seal and open with the same key.',
  ])
})

test('a secret never shows in a message', () => {
  const message = refused({
    SECRET_KEY: 'too-short-hunter2',
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    SMTP_URL: 'hunter2',
    RADIUS_HTTP_TOKEN: 'hunter2',
  })
  expect(message).toContain('SECRET_KEY must have at least 32 characters')
  expect(message).not.toContain('hunter2')
})

describe('a database of several servers', () => {
  const SECRET_KEY = 'a key that is long enough for any test at all'
  const read = (DATABASE_URL: string) => readConfig({ DATABASE_URL, SECRET_KEY }).database_url ?? ''

  test.each([
    ['postgres://ann:p%40ss@a:5432,b:5433/foyer', ['a:5432', 'b:5433']],
    [
      'postgresql://a,b,[::1]:5434/foyer?sslmode=require&target_session_attrs=read-write',
      ['a:5432', 'b:5432', '::1:5434'],
    ],
    ['postgres://one/foyer', ['one:5432']],
  ])('%s names its servers', (given, servers) => {
    expect(hostsOf(read(given)).map(({ host, port }) => `${host}:${port}`)).toEqual(servers)
    expect(new URL(read(given)).pathname).toBe('/foyer')
  })

  test.each([
    'postgres://a:5432,b:port/foyer',
    'postgres://a,/foyer',
    'postgres://a,b/foyer?target_session_attrs=standby',
  ])('%s is refused', (DATABASE_URL) => {
    expect(refused({ DATABASE_URL, SECRET_KEY })).toContain('DATABASE_URL must be an address such as')
  })
})

test('README.md names every setting, and between them it and docs/settings.md say what each means', () => {
  const [source = '', readme = '', settings = ''] = ['server/start/config.ts', 'README.md', 'docs/settings.md'].map(
    (file) => fs.readFileSync(file, 'utf8'),
  )
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => String(name))
  expect(names).toContain('DATA_DIR')
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  const explained =
    settings +
    readme
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .join('\n')
  expect(names.filter((name) => !explained.includes(`\`${name}\``))).toEqual([])
})
