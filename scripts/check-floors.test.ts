// The floors: what the checker reports, and that it accepts good code.

import fs from 'node:fs'
import { expect, test } from 'vitest'
import { checkFloors, layers } from '#scripts/check-floors.ts'
import { besides, ofEveryResource } from '#scripts/screen-files.ts'

const check = (files: Record<string, string>) =>
  checkFloors(new Map(Object.entries(files).map(([file, source]) => [file, `// A screen.\n${source}`])))

test.each([
  ['contract/groups.ts', "import { z } from 'zod'\nimport { id } from '#contract/shapes.ts'"],
  ['server/resources/groups/groups.ts', "import type { Scope } from '#server/access/tenancy.ts'"],
  ['server/access/tenancy.ts', "import { openPool } from '#server/db/connect.ts'"],
  ['server/outbound/safe-fetch.ts', "import http from 'node:http'\nimport https from 'node:https'"],
  [
    'server/access/authenticate.test.ts',
    "import { openPool } from '#server/db/connect.ts'\nimport { test } from 'vitest'",
  ],
  [
    'server/property-systems/mews/simulation.ts',
    "import { answerAt } from '#server/property-systems/simulated.ts'\nimport { isDeepStrictEqual } from 'node:util'",
  ],
  ['server/gateways/unifi/simulation.ts', "import { serveSimulation } from '#server/gateways/simulated.ts'"],
  ['server/gateways/simulated.ts', "import http from 'node:http'"],
  ['web/ui/button.tsx', "import { Button } from '@mantine/core'"],
  ['web/resources/groups/detail.tsx', "import { PropertiesList } from '#web/resources/properties/list.tsx'"],
])('%s may import what belongs to it', (file, source) => {
  expect(check({ [file]: source })).toEqual([])
})

test.each([
  ['contract/groups.ts', "import { Pool } from 'pg'", 'belongs to server or web'],
  ['portal/page.tsx', "import { useQuery } from '@tanstack/react-query'", 'belongs to server/guest or web'],
  ['server/apps/api.ts', "import { paths } from '#web/paths.ts'", 'belongs to contract or portal'],
  ['server/apps/api.test.ts', "import { paths } from '#web/paths.ts'", 'belongs to contract or portal'],
  ['web/main.tsx', "import { roles } from '#server/start/config.ts'", 'belongs to contract; data comes through a call'],
  ['server/entities/verbs.ts', "import { freshDatabase } from '#test/database.ts'", 'belongs to its own floor'],
  ['server/resources/groups/groups.ts', "import { openPool } from '#server/db/connect.ts'", 'ask for a Scope'],
  ['server/jobs/reports.ts', "import pg from 'pg'", 'the driver stays in server/db'],
  ['server/resources/groups/groups.ts', "import { request } from 'node:http'", 'server/outbound/safe-fetch.ts'],
  ['server/billing/xero.ts', "import https from 'https'", 'server/outbound/safe-fetch.ts'],
  ['server/jobs/reports.ts', "const { connect } = await import('node:http2')", 'server/outbound/safe-fetch.ts'],
  ['server/reports/send.ts', "export { fetch } from 'undici'", 'server/outbound/safe-fetch.ts'],
  ['web/kit/list/rows.tsx', "import {\n  Table,\n} from '@mantine/core'", 'make or extend a component there'],
  ['web/ui/button.tsx', "import { messages } from '#contract/messages.ts'", 'belongs to web/kit'],
  ['web/kit/form/lookup.tsx', "import { list } from '#contract/groups.ts'", 'belongs to web/resources'],
  ['web/kit/navigation/link.tsx', "const page = import('#web/routes.tsx')", 'hand in what it needs'],
  ['web/resources/groups/list.tsx', "import { routes } from '#web/routes.tsx'", 'addresses come from web/paths.ts'],
  ['web/resources/groups/form.tsx', "export { Form } from '#web/resources/properties/form.tsx'", 'only its list.tsx'],
  ['server/jobs/reports.ts', "import { a } from '../verbs.ts'", 'name another folder from the root'],
  ['server/gateways/find-kind.ts', "import { simulation } from './unifi/simulation.ts'", 'must run without it'],
  ['server/gateways/unifi/simulation.ts', "import { arrival } from './arrival.ts'", 'shares no code with its kind'],
  [
    'server/property-systems/mews/simulation.ts',
    "import { asked } from '#server/property-systems/polling.ts'",
    'shares no code with its kind',
  ],
  ['server/gateways/unifi/kind.ts', "import { accept } from '#server/gateways/aruba/accept.ts'", 'knows no other'],
  ['server/reports/billing/kind.ts', "import { rows } from '#server/reports/session/rows.ts'", 'knows no other'],
  [
    'web/resources/reports/billing/kind.ts',
    "import { x } from '#web/resources/reports/session/screen.tsx'",
    'knows no other',
  ],
  [
    'server/integrations/xero/kind.ts',
    "import { client } from '#server/integrations/mailchimp/client.ts'",
    'knows no other',
  ],
  [
    'server/db/open.ts',
    "import type { Scope } from '#server/access/tenancy.ts'",
    'server/access/ stands above server/db/',
  ],
  ['server/vouchers/find.ts', "import { check } from '#server/imports/check.ts'", 'what both need belongs below them'],
  [
    'server/resources/groups/groups.ts',
    "import { apiApp } from '#server/apps/api.ts'",
    'belongs to server/apps/ or above it',
  ],
  [
    'web/kit/list/rows.tsx',
    "import { Tabs } from '#web/kit/detail/detail-tabs.tsx'",
    'belongs to web/kit/detail/ or above',
  ],
  ['web/kit/form/field.tsx', "import { Rows } from '#web/kit/list/rows.tsx'", 'stands beside web/kit/form/'],
])('%s: %s is reported', (file, source, instead) => {
  const [problem, ...more] = check({ [file]: source })
  expect(problem).toMatch(new RegExp(`^${file}:2  imports `))
  expect(problem).toContain(instead)
  expect(more).toEqual([])
})

test('barrels, meaningless names and files without a first comment are reported', () => {
  expect(check({ 'web/ui/index.ts': '', 'server/db/utils.ts': '' })).toEqual([
    'web/ui/index.ts  is a barrel: import from the file that has the thing',
    'server/db/utils.ts  says nothing: name it after what is in it',
  ])
  expect(checkFloors(new Map([['contract/a.ts', 'export {}']]))).toEqual([
    'contract/a.ts:1  must begin with a comment that says what the file is for',
  ])
})

test('below the applications nobody takes the whole of what a node has', () => {
  const from = "import type { Services } from '#server/services.ts'\n"
  const whole = ['(services: Services) => 1', 'interface Needs extends Services {}', 'let job: Job<Services>']
  const part = ["({ queue }: Pick<Services, 'queue'>) => 1", "let queue: Services['queue']", 'Pick<\n  Services,\n  1>']
  const problems = (file: string, all: string[]) => all.map((source) => check({ [file]: from + source }).length)
  expect(problems('server/resources/groups/groups.ts', whole)).toEqual([1, 1, 1])
  expect(problems('server/resources/groups/groups.ts', part)).toEqual([0, 0, 0])
  for (const file of ['server/apps/api.ts', 'server/node.ts', 'server/resources/groups/groups.test.ts'])
    expect(problems(file, whole)).toEqual([0, 0, 0])
})

test('a folder that is in no layer is reported, and a test may import from above', () => {
  expect(check({ 'server/wonders/one.ts': '' })).toEqual([
    'server/wonders/one.ts  has no place: write its folder into a layer of scripts/check-floors.ts',
  ])
  expect(check({ 'server/db/open.test.ts': "import { serve } from '#server/api/serve.ts'" })).toEqual([])
})

test('a cycle is reported once, also one of types; dynamic imports may form one', () => {
  const a = "import '#contract/b.ts'"
  const c = "import type { A } from '#contract/a.ts'"
  expect(check({ 'contract/a.ts': a, 'contract/b.ts': "import './c.ts'", 'contract/c.ts': c })).toEqual([
    'contract/a.ts → contract/b.ts → contract/c.ts  import each other in a circle: move what they share below them',
  ])
  expect(check({ 'contract/a.ts': a, 'contract/b.ts': "const a = import('#contract/a.ts')" })).toEqual([])
})

test('resources of the server have a folder each, which do not need each other in a circle', () => {
  const folder = (name: string) => `server/resources/${name}/${name}.ts`
  expect(check({ 'server/resources/rooms.ts': '' })).toEqual([
    'server/resources/rooms.ts  belongs to the folder of its resource, named as in contract or web/resources',
  ])
  const files = {
    [folder('rooms')]: "import '#server/resources/stays/acts.ts'",
    [folder('stays')]: "import '#server/resources/rooms/numbers.ts'",
    'server/resources/stays/acts.ts': '',
  }
  expect(check(files)).toEqual([
    'server/resources/rooms/ → server/resources/stays/  import each other in a circle: move what they share below them',
  ])
  expect(check({ ...files, [folder('stays')]: "import './acts.ts'" })).toEqual([])
})

test('resources have the names that they have in the contract or in the web app', () => {
  const known = [
    ...fs.readdirSync('contract').map((file) => file.replace(/\.ts$/, '')),
    ...fs.readdirSync('web/resources'),
  ]
  expect(fs.readdirSync('server/resources').filter((name) => !known.includes(name))).toEqual([])
})

test('the folders of the server are few, in few layers', () => {
  const folders = layers.server
    .map((layer) => layer.filter((path) => path.endsWith('/')))
    .filter((layer) => layer.length > 0)
  expect(folders.length).toBeLessThanOrEqual(11)
  expect(folders.flat().length).toBeLessThanOrEqual(36)
})

test('ARCHITECTURE.md names the folders of each layer', () => {
  const page = fs.readFileSync('ARCHITECTURE.md', 'utf8')
  const documented = [...page.matchAll(/^\| \d+ +\| (.+?) +\|/gm)].map(([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  )
  const checked = layers.server.map((layer) => layer.flatMap((path) => /^server\/(.+)\/$/.exec(path)?.[1] ?? []))
  const sorted = (of: string[][]) => of.map((names) => names.toSorted())
  expect(sorted(documented)).toEqual(sorted(checked.filter((names) => names.length > 0).toReversed()))
})

test.each([
  ['server/reports/guests.ts', 'sql`where g.departs_on >= ${day}`'],
  ['server/resources/guest-help/today.ts', 'const { arrives_on } = guest'],
  ['server/imports/moves.ts', 'sql`t.checked_in_at is null`'],
  ['server/property-systems/try-out.ts', 'sql`select g.departs_on::text`'],
])('%s: the columns of a stay are asked of server/stays: %s', (file, source) => {
  const [problem, ...more] = check({ [file]: source })
  expect(problem).toMatch(
    new RegExp(`^${file}:2  names .*: who is in house, and until when, is asked of server/stays$`),
  )
  expect(more).toEqual([])
})

test.each([
  'web/resources/user-profile/activity.tsx: options: references.users.names',
  'web/resources/user-profile/activity.tsx: useNames(references.groups.names)',
  'web/resources/rooms/form.tsx: from={packages.names}',
])('a reference is drawn by the kit: %s', (given) => {
  const [file = '', source = ''] = given.split(/: (.*)/)
  expect(check({ [file]: source })).toEqual([expect.stringContaining('give the select or the filter its target')])
})

test.each([
  "scope.change('room_guests', ids, { departs_on: day })",
  'sql`update room_guests as t set email = null`',
  'sql`insert into stays (room_id) select 1`',
])('guests and their days are written by server/stays alone: %s', (source) => {
  expect(check({ 'server/imports/moves.ts': source })).toEqual([expect.stringMatching(/written by server\/stays$/)])
  expect(check({ 'server/stays/acts.ts': source })).toEqual([])
})

test.each([
  ['web/resources/dashboard/tiles.tsx', 'value.toLocaleString()'],
  ['web/resources/dashboard/shares.ts', "value.toLocaleString('en-GB')"],
  ['web/kit/chart/bar-chart.tsx', "new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })"],
  ['web/kit/display/months.ts', "new Intl.DateTimeFormat(undefined, { month: 'long' })"],
  ['server/vouchers/slip.ts', 'value.toLocaleString()'],
])('%s: numbers and dates are in the language of the app or one that is given: %s', (file, source) => {
  expect(check({ [file]: source })).not.toEqual([])
  expect(check({ 'web/kit/display/numbers.ts': 'value.toLocaleString(locale())' })).toEqual([])
})

test('server/stays names them, and an import the columns of its file', () => {
  const files = {
    'server/stays/in-house.ts': 'sql`t.departs_on`',
    'server/imports/rooms.ts': 'const { departs_on } = row',
  }
  expect(check(files)).toEqual([])
})

test.each([
  'server/gateways/unifi/helpers-of-mine.ts',
  'server/reports/session/more.ts',
  'web/resources/reports/session/more.tsx',
])('%s: names of files in the folder of a kind are a closed list', (file) => {
  expect(check({ [file]: 'export {}' })).toEqual([
    expect.stringMatching(/ is no file of a (gateway|report) kind( on the web)?: /),
  ])
  expect(check({ [file.replace(/[^/]+$/, 'kind.test.ts')]: 'export {}' })).toEqual([])
})

test('names of files of a resource are a closed list, also in a folder below it', () => {
  const list = 'web/resources/rooms/list.tsx'
  const others = [
    'web/resources/rooms/stuff.tsx',
    'web/resources/rooms/parts/list.tsx',
    'web/resources/vouchers/numbers.ts',
  ]
  expect(
    check(Object.fromEntries([list, 'web/resources/rooms/numbers.test.ts', ...others].map((file) => [file, '']))),
  ).toEqual(others.map((file) => expect.stringMatching(new RegExp(`^${file}  is no file of a resource: `))))
})

test('the list of names has none that no file bears', () => {
  const names = (resource: string) =>
    fs.readdirSync(`web/resources/${resource}`).map((file) => file.replace(/(\.test)?\.tsx?$/, ''))
  const idle = Object.entries(besides).flatMap(([resource, own]) =>
    own.filter(
      (name, at) => ofEveryResource.includes(name) || own.indexOf(name) < at || !names(resource).includes(name),
    ),
  )
  expect(idle).toEqual([])
  const all = fs.readdirSync('web/resources').flatMap(names)
  expect(ofEveryResource.filter((name) => all.filter((other) => other === name).length < 2)).toEqual([])
})

test.each([
  ['web/kit/display/dates.ts', 'const day_ms = 86_400_000'],
  ['server/reports/ranges.ts', 'new Date(Date.UTC(year, month, 0))'],
  ['contract/stay-days.ts', 'Date.parse(`${day}T12:00:00Z`)'],
  ['server/reports/retention.ts', "localDay(Date.now(), 'UTC')"],
  ['server/stays/acts.ts', 'sql`local_day(now(), p.time_zone)`'],
  ['web/resources/rooms/list.tsx', 'Date.now() - days * day_ms'],
  ['web/resources/rooms/form.tsx', 'end.setDate(end.getDate() + 1)'],
  ['server/reports/ranges.ts', 'const next = `${addDays(first, 31).slice(0, 7)}-01`'],
  ['contract/stay-days.ts', 'String(Number(day.slice(0, 4)) + years)'],
  ['server/reports/ranges.ts', "sql`date_trunc(case p.recurs when 'daily' then 'day' end, t.at)`"],
  ['server/billing/ledger.ts', "sql`m.month + interval '1 month'`"],
  ['server/imports/engine.ts', 'new Date().toISOString().slice(0, 10)'],
  ['server/reports/ranges.ts', "const [day] = now.toISOString().split('T')"],
  ['server/files/unused.ts', 'const kept_ms = 7 * 24 * 3600 * 1000'],
  ['server/files/unused.ts', 'const kept_ms = 24 * 60 * 60 * 1000'],
])('%s: calendar arithmetic stands in one place: %s', (file, source) => {
  const [problem, ...more] = check({ [file]: source })
  expect(problem).toMatch(new RegExp(`^${file}:2  names .*: calendar arithmetic is in contract/days.ts`))
  expect(more).toEqual([])
  expect(
    check({ 'contract/days.ts': source, 'server/time/zones.ts': source, 'server/reports/one.test.ts': source }),
  ).toEqual([])
})

test.each([
  ['web/stays/acts.ts', 'notify.success(`${name} is in`)'],
  ['web/stays/give.tsx', "const label = 'Check out'"],
  ['web/stays/give.tsx', 'const Hint = () => <p>Nobody</p>'],
  ['web/resources/guest-help/today.tsx', '      Check in'],
  ['web/resources/guest-help/today.tsx', 'const Head = () => <PageHeader title="Today" />'],
  ['server/stays/guests.ts', "throw clash('This guest is there already.')"],
])('%s says a sentence that stands in no catalogue', (file, source) => {
  expect(check({ [file]: source })).toEqual([expect.stringContaining('stands in the catalogue')])
})

test('a function, value or type of the server bears a name of its own, but what kinds say of themselves', () => {
  const made = 'export async function receive() {}\nexport const limit = 3\nexport type Answer = string'
  const files = { 'server/files/receive.ts': made, 'server/stays/told.ts': made, 'web/ui/told.ts': made }
  expect(check(files)).toEqual([
    expect.stringMatching(/^server\/stays\/told\.ts {2}exports receive, as server\/files\/receive\.ts does: say in/),
    expect.stringMatching(/^server\/stays\/told\.ts {2}exports limit, as/),
    expect.stringMatching(/^server\/stays\/told\.ts {2}exports Answer, as/),
  ])
  const kinds = { 'server/gateways/unifi/kind.ts': made, 'server/gateways/omada/kind.ts': made }
  expect(check({ ...kinds, 'server/files/receive.ts': made })).toEqual([])
})
