// Alerts: promtool tries each alert of deploy/prometheus, by what it is for and by a healthy installation; and what alerts and the
// dashboard read is what a node shows.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase, secretKey } from '#test/database.ts'
import { killAll, startFoyer } from '#test/process.ts'

/** The metrics of a node that nobody has asked for anything. */
let fresh = ''
beforeAll(async () => {
  const database = await freshDatabase()
  const port = await freePort()
  const foyer = await startFoyer({ DATABASE_URL: database.adminUrl, SECRET_KEY: secretKey, METRICS_PORT: String(port) })
  fresh = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await foyer.kill()
  await database.drop()
})
afterAll(killAll)

const deploy = path.join(import.meta.dirname, '../deploy')
const rules = path.join(deploy, 'prometheus/alerts.yaml')
const asked = Object.fromEntries(
  [...fs.readFileSync(rules, 'utf8').matchAll(/- alert: (\w+)\n(?: +#.*\n)? +expr: (.+)/g)].map(
    ([, name = '', expr = '']) => [name, expr],
  ),
)
const alerts = Object.keys(asked)
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const without = hasPromtool ? '' : ' (not run: promtool is not here, Debian has it in the package prometheus)'

/** Values as promtool writes them: `begin+step`, for each minute; `now`: the time. */
type Series = Record<string, string>
/** Long enough for each alert. */
const minutes = 420
/** What is compared with a week ago takes longer, in longer steps. */
const compared = { name: 'FoyerSessionsFell', step: 15, minutes: 8 * 1440 }
const healthy: Series = {
  'up{job="foyer",instance="a"}': '1',
  'foyer_database_up{job="foyer",instance="a"}': '1',
  'foyer_disk_free_bytes{job="foyer",instance="a"}': '80000000000',
  'foyer_disk_reserve_bytes{job="foyer",instance="a"}': '500000000',
  foyer_backup_made_seconds: 'now',
  foyer_backup_tried_seconds: 'now',
  foyer_backup_opened_seconds: 'now',
  foyer_backups_damaged: '0',
  foyer_log_waiting_seconds: '20',
  'foyer_replica_used{instance="a"}': '1',
  'foyer_replica_behind_seconds{instance="a"}': '0',
  'foyer_due_work_late_seconds{kind="mail"}': '2',
  'foyer_queue_late_seconds{queue="cleanup"}': '2',
  'foyer_due_work_failing_seconds{kind="mail"}': '0',
  'foyer_due_work_failing_seconds{kind="webhook"}': '3600',
  // Addresses that nobody has are no fault of the installation.
  'foyer_undelivered{why="mail nobody"}': '500',
  'foyer_jobs_failing{queue="cleanup"}': '0',
  'foyer_gateways{state="silent"}': '4',
  'foyer_gateways{state="heard"}': '5',
  foyer_sessions_online: '200',
  'foyer_sign_ins_total{at="gateway",result="accepted"}': '0+60',
  // A device that has not seen the page yet.
  'foyer_sign_ins_total{at="gateway",result="unknown_device"}': '0+600',
  'foyer_radius_packet_seconds_count{kind="access",result="failed"}': '0',
  'foyer_radius_packet_seconds_bucket{kind="access",result="answered",le="0.5"}': '0+60',
  'foyer_radius_packet_seconds_bucket{kind="access",result="answered",le="+Inf"}': '0+60',
  foyer_requests_broken_total: '3',
  'foyer_turn_refusals_total{status="503"}': '3',
  'foyer_connections_waiting{pool="main"}': '0',
  'process_open_fds{job="foyer",instance="a"}': '200',
  'process_max_fds{job="foyer",instance="a"}': '65536',
  'nodejs_eventloop_lag_p99_seconds{job="foyer",instance="a"}': '0.02',
  'foyer_certificate_ends_seconds{address="app"}': '5000000',
  'foyer_access_ending{what="api_keys"}': '0',
}
/** What each alert is for, and others that it brings along. */
const wrong: Record<string, { series: Series; also?: string[] }> = {
  FoyerDown: { series: { 'up{job="foyer",instance="a"}': '0' } },
  FoyerDatabaseDown: { series: { 'foyer_database_up{job="foyer",instance="a"}': '0' } },
  FoyerDiskFull: {
    series: { 'foyer_disk_free_bytes{job="foyer",instance="a"}': '400000000' },
    also: ['FoyerDiskFilling'],
  },
  FoyerDiskFilling: { series: { 'foyer_disk_free_bytes{job="foyer",instance="a"}': '80000000000-40000000' } },
  FoyerBackupOld: { series: { foyer_backup_made_seconds: '-90000' } },
  FoyerBackupUntried: { series: { foyer_backup_tried_seconds: '-300000' } },
  FoyerBackupUnopened: { series: { foyer_backup_opened_seconds: '-3100000' } },
  FoyerBackupDamaged: { series: { foyer_backups_damaged: '1' } },
  FoyerLogNotArchived: { series: { foyer_log_waiting_seconds: '700' } },
  FoyerReplicaBehind: { series: { 'foyer_replica_behind_seconds{instance="a"}': '90' } },
  FoyerWorkWaits: { series: { 'foyer_queue_late_seconds{queue="cleanup"}': '900' } },
  FoyerMailsWait: { series: { 'foyer_due_work_failing_seconds{kind="mail"}': '2000' } },
  FoyerWorkFails: { series: { 'foyer_due_work_failing_seconds{kind="webhook"}': '30000' } },
  FoyerUndelivered: { series: { 'foyer_undelivered{why="mail unreachable"}': '21' } },
  FoyerJobFails: { series: { 'foyer_jobs_failing{queue="cleanup"}': '1' } },
  FoyerGatewaysSilent: { series: { 'foyer_gateways{state="silent"}': '6' } },
  FoyerSessionsFell: { series: { foyer_sessions_online: `200x${(7 * 1440 + 60) / 15} 90x200` } },
  FoyerRefusesGuests: { series: { 'foyer_sign_ins_total{at="gateway",result="expired"}': '0+61' } },
  FoyerRadiusFails: { series: { 'foyer_radius_packet_seconds_count{kind="access",result="failed"}': '0+10' } },
  FoyerRadiusSlow: {
    series: { 'foyer_radius_packet_seconds_bucket{kind="access",result="answered",le="0.5"}': '0+30' },
  },
  // One fault, and none after it.
  FoyerBroken: { series: { foyer_requests_broken_total: `0x${minutes - 20} 1x20` } },
  FoyerBusy: { series: { 'foyer_turn_refusals_total{status="503"}': '3+10' } },
  FoyerHandlesShort: { series: { 'process_open_fds{job="foyer",instance="a"}': '60000' } },
  FoyerStalls: { series: { 'nodejs_eventloop_lag_p99_seconds{job="foyer",instance="a"}': '2' } },
  FoyerCertificateEnds: { series: { 'foyer_certificate_ends_seconds{address="app"}': '1000000' } },
  FoyerCertificateEndsNow: {
    series: { 'foyer_certificate_ends_seconds{address="app"}': '100000' },
    also: ['FoyerCertificateEnds'],
  },
  FoyerAccessEnds: { series: { 'foyer_access_ending{what="api_keys"}': '1' } },
}

/** What passes by itself: it raises nothing. */
const passing: Record<string, Series> = {
  'work that has failed for long, seen once': {
    'foyer_due_work_failing_seconds{kind="mail"}': `0x${minutes - 3} 2000x2`,
    'foyer_due_work_failing_seconds{kind="webhook"}': `0x${minutes - 3} 30000x2`,
  },
}

test('each alert has a case here', () => {
  expect(Object.keys(wrong)).toEqual(alerts)
})

test.runIf(hasPromtool)('promtool takes the rules and the configuration', () => {
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    ['check', 'config', path.join(deploy, 'prometheus/prometheus.yaml')],
    {
      encoding: 'utf8',
    },
  )
  expect(`${stdout}${stderr}`).toContain(`${alerts.length} rules found`)
  expect(status, stderr).toBe(0)
})

test.runIf(hasPromtool)(`each alert is raised by what it is for, and by nothing else${without}`, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-alerts-'))
  const write = (name: string, evaluation_interval: string, tests: object[]) => {
    // JSON is YAML.
    fs.writeFileSync(path.join(folder, name), JSON.stringify({ rule_files: [rules], evaluation_interval, tests }))
    return path.join(folder, name)
  }
  const { healthily, others, left, fell } = cases()
  expect(left.length).toBeGreaterThan(5)
  const files = [write('cases.yaml', '1m', [...healthily, ...others, ...left]), write('compared.yaml', '15m', [fell])]
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...files], { encoding: 'utf8' })
  fs.rmSync(folder, { recursive: true })
  expect(`${stdout}${stderr}`).not.toContain('FAILED')
  expect(status).toBe(0)
})

function cases() {
  const raised = (
    name: string,
    series: Series,
    expected: string[],
    { step, length } = { step: 1, length: minutes },
  ) => ({
    name,
    interval: `${step}m`,
    input_series: Object.entries(series).map(([one, values]) => ({
      series: one,
      values: values.includes(' ') ? values : `${values === 'now' ? `0+${step * 60}` : values}x${length / step}`,
    })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${length}m`,
        exp_samples: expected.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  })
  const as = ({ series, also = [] }: { series: Series; also?: string[] }, name: string) =>
    [name, { ...healthy, ...series }, [name, ...also]] as [string, Series, string[]]
  return {
    healthily: [
      raised('a healthy installation', healthy, []),
      ...Object.entries(passing).map(([name, series]) => raised(name, { ...healthy, ...series }, [])),
    ],
    others: Object.entries(wrong)
      .filter(([name]) => name !== compared.name)
      .map(([name, found]) => raised(...as(found, name))),
    left: withoutOthers().map(([name, left_out, series]) =>
      raised(`${name} without ${left_out}`, series, [name, ...(wrong[name]?.also ?? [])]),
    ),
    fell: raised(...as(wrong[compared.name] ?? { series: {} }, compared.name), {
      step: compared.step,
      length: compared.minutes,
    }),
  }
}

/**
 * A series need not be there: of what has not happened yet, or is nowhere any more. Each alert is raised without one that its rule reads,
 * unless each node shows it from its start, or with the one by which it is raised.
 */
function withoutOthers(): [name: string, left_out: string, series: Series][] {
  const shown = new Set(fresh.split('\n').map((line) => line.split(' ')[0]))
  const withoutTarget = (one: string) => one.replace(/\b(job|instance)="\w+",?/g, '').replace('{}', '')
  const withoutBucket = (one: string) => one.replace(/,le="[^"]+"/, '')
  return Object.entries(wrong).flatMap(([name, { series }]) =>
    Object.keys(healthy)
      .filter(
        (one) => asked[name]?.includes(one.replace(/\{.*/, '')) && !(one in series) && !shown.has(withoutTarget(one)),
      )
      .filter((one) => !Object.keys(series).some((other) => withoutBucket(other) === withoutBucket(one)))
      .map((one) => {
        const { [one]: _, ...rest } = { ...healthy, ...series }
        return [name, one, rest] as [string, string, Series]
      }),
  )
}

test('what is told at its first time stands at 0 before it', () => {
  const told = Object.values(asked).flatMap((expr) => [
    ...expr.matchAll(/(?:rate|increase)\((\w+(?:\{.*?\})?)\[\w+\]\)\)? > 0$/g),
  ])
  expect(told.length).toBeGreaterThan(0)
  for (const [, series = ''] of told) expect(fresh.split('\n')).toContain(`${series} 0`)
})

test('the dashboard shows all that a node knows of its backups', () => {
  const dashboard = fs.readFileSync(path.join(deploy, 'grafana/foyer.json'), 'utf8')
  const known = [...fresh.matchAll(/^# TYPE (foyer_(?:backup|log_waiting)\w*)/gm)].map(([, name = '']) => name)
  expect(known.length).toBeGreaterThan(3)
  for (const name of known) expect(dashboard).toContain(name)
})

test('alerts and the dashboard read metrics that a node shows', () => {
  const shown = new Set([...fresh.matchAll(/^# TYPE (\S+) (\w+)/gm)].map(([, name]) => name))
  const read = ['prometheus/alerts.yaml', 'grafana/foyer.json', 'README.md'].flatMap((name) =>
    [...fs.readFileSync(path.join(deploy, name), 'utf8').matchAll(/\b(?:foyer|process|nodejs)_\w+/g)].map(([one]) =>
      one.replace(/_(?:bucket|count|sum)$/, ''),
    ),
  )
  const logins = new Set(['foyer_owner', 'foyer_app', 'foyer_auth', 'foyer_guest'])
  expect(new Set(read).size).toBeGreaterThan(25)
  expect([...new Set(read)].filter((name) => !shown.has(name) && !logins.has(name))).toEqual([])
})
