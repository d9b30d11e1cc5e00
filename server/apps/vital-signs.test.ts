// Vital signs: what the metrics tell of the whole installation: who is silent, what waits and since when, what ended, what ends soon.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { showVitalSigns } from '#server/apps/vital-signs.ts'
import { lastBackups, noteBackup, sha256Of, tellOpened } from '#server/db/backup-notes.ts'
import { attempt, take } from '#server/due/attempt.ts'
import { dueKind, queueDue, TriedInVain, type Again, type DueWork } from '#server/due/due-work.ts'
import { compareBackups } from '#server/files/compare-backups.ts'
import { keepStates } from '#server/sessions/property-states.ts'
import { noLog } from '#server/watch/log.ts'
import { openMetrics } from '#server/watch/metrics.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => {
  foyer = await openFoyer()
})
afterAll(async () => {
  await foyer.close()
  fs.rmSync(data_dir, { recursive: true })
})

const data_dir = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-vital-'))
/** Of a node that was not asked yet. */
async function shown(tenancy: Partial<Tenancy> = {}): Promise<string[]> {
  const metrics = openMetrics()
  const addresses = { public_url: 'http://localhost:3000', portal_url: 'http://localhost:3001' }
  showVitalSigns(
    {
      ...foyer.services,
      metrics,
      tenancy: { ...foyer.services.tenancy, ...tenancy },
      backups: () => lastBackups(data_dir),
    },
    { ...addresses, disk_reserve_bytes: 500, data_dir, backup_url: null },
  )
  const { body } = await metrics.text()
  return body.split('\n').filter((line) => line.startsWith('foyer_'))
}

test('an installation without customers shows nothing that waits', async () => {
  const lines = await shown()
  expect(lines).toContain('foyer_sessions_online 0')
  expect(lines).toContain('foyer_database_up 1')
  expect(lines).toContain('foyer_access_ending{what="api_keys"} 0')
  // Without a replica there is none to be behind.
  expect(lines.filter((line) => /^foyer_(replica|gateways|due|undelivered|certificate|backup_)/.test(line))).toEqual([])
})

test('guests, gateways, work, mails and keys of all customers are told, and no customer is named', async () => {
  const editor = await foyer.customer()
  const other = await foyer.customer()
  const customer_id = editor.user.customer.id
  const properties = [await foyer.property(editor), await foyer.property(other)]
  for (const [n, property] of properties.entries()) {
    const who = n === 0 ? editor : other
    const gateway = await foyer.gateway(who, { property_id: property.id })
    await foyer.query(
      `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
       select $1, $2, $3, n::text, n::text, now(), now() from generate_series(1, 3) as n`,
      [who.user.customer.id, gateway.id, property.id],
    )
    await foyer.query(
      `update gateways set last_seen_at = now() - interval '2 days', silent_since = now() where id = $1`,
      [gateway.id],
    )
  }
  await foyer.gateway(editor, { property_id: properties[0]?.id ?? 0 })
  await keepStates(foyer.services)
  await foyer.query(
    `insert into due_work (customer_id, kind, about_id, state, next_at, created_at) values
       ($1, 'accounting_draft', 2, 'failed', now(), now() - interval '2 days'),
       -- Far from its time: nothing of it waits.
       ($1, 'departure', 3, 'waiting', now() + interval '1 day', now() - interval '9 days'),
       ($1, 'of_nobody', 4, 'waiting', now() - interval '20 minutes', now() - interval '30 minutes')`,
    [customer_id],
  )
  const [mail] = await foyer.query<{ id: number }>(
    `insert into outbox_mails (customer_id, recipient_email, subject, text) values ($1, 'ada@hotel.example', 'Hello', '') returning id`,
    [customer_id],
  )
  await foyer.query(
    `insert into undelivered (customer_id, mail_id, recipient, kind, why, attempts, written_at)
     values ($1, $2, 'ada@hotel.example', 'report', 'unreachable', 106, now())`,
    [customer_id, mail?.id],
  )
  await foyer.query(
    `insert into api_keys (customer_id, name, token_start, expires_at) values
       ($1, 'Kiosk', 'a', now() + interval '2 days'), ($1, 'Till', 'b', now() + interval '9 days'),
       ($1, 'Gone', 'c', now() - interval '1 day')`,
    [customer_id],
  )
  await foyer.query(
    `insert into connections (customer_id, kind, integration_type, needs_reconnect, connected_at, active, deleted_at) values
       ($1, 'owls', 'acme-owls', true, now(), true, null),
       -- Not connected yet, disabled, deleted, well.
       ($1, 'owls', 'acme-owls', true, null, true, null), ($1, 'owls', 'acme-owls', true, now(), false, null),
       ($1, 'owls', 'acme-owls', true, now(), true, now()), ($1, 'owls', 'acme-owls', false, now(), true, null)`,
    [customer_id],
  )
  const lines = await shown()
  for (const line of [
    'foyer_sessions_online 6',
    'foyer_gateways{state="silent"} 2',
    'foyer_gateways{state="never_heard"} 1',
    'foyer_properties{state="silent"} 2',
    'foyer_due_work{kind="of_nobody"} 1',
    'foyer_due_work{kind="departure"} 0',
    'foyer_due_work_late_seconds{kind="departure"} 0',
    'foyer_due_work_failing_seconds{kind="departure"} 0',
    'foyer_due_work_given_up{kind="accounting_draft"} 1',
    'foyer_undelivered{why="mail unreachable"} 1',
    'foyer_access_ending{what="api_keys"} 1',
    'foyer_access_ending{what="owls"} 1',
  ])
    expect(lines).toContain(line)
  const valueOf = (name: string) =>
    Number(
      lines
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    )
  expect(valueOf('foyer_due_work_late_seconds{kind="of_nobody"}')).toBeCloseTo(1200, -2)
  expect(valueOf('foyer_database_bytes')).toBeGreaterThan(1_000_000)
  expect(valueOf('foyer_disk_free_bytes')).toBeGreaterThan(0)
  expect(lines.join('\n')).not.toMatch(/ada|Kiosk/)
})

test('a database or a replica that hangs is told of, and keeps nothing else from being told', async () => {
  const hangs = () => new Promise<never>(() => {})
  const lines = await shown({ ping: hangs, callFunction: hangs, replicaBehind_s: hangs })
  expect(lines).toContain('foyer_database_up 0')
  expect(lines).toContain('foyer_disk_reserve_bytes 500')
  expect(lines.filter((line) => /^foyer_(sessions_online|replica_behind)/.test(line))).toEqual([])
})

test('work fails since its first try in vain, whether it counts or not, until it is done', async () => {
  const customer_id = (await foyer.customer()).user.customer.id
  const { tenancy, queue } = foyer.services
  const outcomes: (Error | Again)[] = []
  const kind: DueWork<object> = {
    kind: dueKind('repeated_work'),
    about: () => sql`'Something'`,
    promise: 'repeated',
    at_once: 1,
    of_one_customer: 1,
    tries_max: 3,
    wait_s: () => 60,
    run: () => {
      const outcome = outcomes.shift()
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(() => Promise.resolve(outcome))
    },
  }
  const queued = (after_s: number) =>
    tenancy.enter(callerOfJob(customer_id, 'test'), 'write', (scope) =>
      queueDue(scope, queue, kind.kind, [{ about_id: 1, after_s }]),
    )
  const taken = async () => {
    const [held] = await take(tenancy, kind, { customer_id, rows_max: 1, of: { about_id: 1 } })
    if (!held) throw new Error('it could not be taken')
    return held
  }
  const ends = async (outcome: Error | Again, held?: Awaited<ReturnType<typeof taken>>) => {
    outcomes.push(outcome)
    await attempt(tenancy, noLog, kind, {}, held ?? (await taken()))
  }
  const hoursPass = (hours: number) =>
    foyer.query(
      `update due_work set created_at = created_at - make_interval(hours => $1), failing_since = failing_since - make_interval(hours => $1)
       where kind = $2`,
      [hours, kind.kind.name],
    )
  const failing_s = async () => {
    const line = (await shown()).find((one) => one.startsWith('foyer_due_work_failing_seconds{kind="repeated_work"}'))
    return Number(line?.split(' ').at(-1))
  }
  await queued(86_400)
  await hoursPass(24)
  // Its first try, long after it was queued.
  const held = await taken()
  expect(await failing_s()).toBe(0)
  await ends(new TriedInVain('It is busy.', { retry_after_s: 300 }), held)
  await hoursPass(7)
  await ends(new TriedInVain('It is busy.', { retry_after_s: 300 }))
  expect(await failing_s()).toBeCloseTo(7 * 3600, -2)
  // That it is queued again has not done it.
  await queued(60)
  await ends(new Error('a fault of ours'))
  expect(await failing_s()).toBeCloseTo(7 * 3600, -2)
  // Done again and again for months.
  await ends({ again_s: 60 })
  await hoursPass(2000)
  await taken()
  expect(await failing_s()).toBe(0)
  // Given up, and begun again by a person.
  await foyer.query(`update due_work set state = 'waiting', lease = null where kind = $1`, [kind.kind.name])
  await ends(new TriedInVain('It is refused.', { hopeless: true }))
  await hoursPass(7)
  await queued(0)
  await taken()
  expect(await failing_s()).toBe(0)
})

/** A backup of a day in November, as the command leaves it. */
async function made(file: string, { n, isTried }: { n: number; isTried: boolean }) {
  const made_at = `2026-11-0${n + 1}T03:00:00.000Z`
  const never = { opened_at: null, compared_at: null, is_same: null }
  fs.writeFileSync(file, `backup ${n}`)
  const sha256 = await sha256Of(file)
  noteBackup(data_dir, {
    file,
    bytes: 8,
    sha256,
    made_at,
    is_encrypted: true,
    tried_at: isTried ? made_at : null,
    ...never,
  })
}

test('backups: when the last was made, tried and opened, and which are not what was written', async () => {
  const log = { warn: (fields: unknown) => void warnings.push(fields) }
  const warnings: unknown[] = []
  const files = ['first', 'second', 'third'].map((name) => path.join(data_dir, name))
  for (const [n, file] of files.entries()) await made(file, { n, isTried: n !== 2 })
  const seconds = (moment: string) => Date.parse(moment) / 1000
  const before = await shown()
  expect(before).toContain(`foyer_backup_made_seconds ${seconds('2026-11-03T03:00:00Z')}`)
  expect(before).toContain(`foyer_backup_tried_seconds ${seconds('2026-11-02T03:00:00Z')}`)
  expect(before.filter((line) => line.startsWith('foyer_backup_opened'))).toEqual([])

  // The first was opened on another machine; the second decays; the third was moved.
  tellOpened(files[0] ?? '', { sha256: await sha256Of(files[0] ?? ''), opened_at: '2026-11-20T12:00:00.000Z' })
  fs.writeFileSync(files[1] ?? '', 'backup 9')
  fs.rmSync(files[2] ?? '')
  await compareBackups({ log, config: { data_dir } })
  const after = await shown()
  expect(after).toContain(`foyer_backup_opened_seconds ${seconds('2026-11-20T12:00:00Z')}`)
  expect(after).toContain('foyer_backups_damaged 1')
  expect(warnings).toEqual([expect.objectContaining({ file: files[1] })])

  // The damaged one is removed; each night one name is used again, and the file of the night before is moved aside.
  const [nightly = '', damaged = '', unreadable = ''] = files
  fs.rmSync(damaged)
  fs.renameSync(nightly, `${nightly}.1`)
  await made(nightly, { n: 4, isTried: true })
  await made(unreadable, { n: 5, isTried: true })
  fs.rmSync(unreadable)
  fs.mkdirSync(unreadable)
  await compareBackups({ log, config: { data_dir } })
  const next = await shown()
  expect(next).toContain('foyer_backups_damaged 0')
  expect(next).toContain(`foyer_backup_opened_seconds ${seconds('2026-11-20T12:00:00Z')}`)
  expect(warnings.slice(1)).toEqual([{ file: unreadable, err: expect.objectContaining({ code: 'EISDIR' }) }])
})
