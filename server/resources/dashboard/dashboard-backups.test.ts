// Backups on the dashboard: who runs the installation sees when they were last made and tried, and nobody else does.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as dashboard from '#contract/dashboard.ts'
import { noteBackup, noteFound, tellOpened } from '#server/db/backup-notes.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

const told = async (who: Person) => (await foyer.get(dashboard.get, {}, who)).data.backups

test('they are told to the first customer of the installation, and to nobody else', async () => {
  const [first, second] = [await foyer.customer(), await foyer.customer()]
  const desk = await foyer.invited(first, { owner_type: 'Property', owner_id: (await foyer.property(first)).id })
  expect(await told(first)).toEqual({ made_at: null, tried_at: null, opened_at: null, damaged: 0 })

  const file = path.join(foyer.data_dir, 'nightly.tar.zst.age')
  const [made_at, later] = ['2026-11-02T03:00:00.000Z', '2026-11-03T03:00:00.000Z']
  const never = { opened_at: null, compared_at: null, is_same: null }
  const one = { file, bytes: 8, sha256: 'one', made_at, is_encrypted: true, tried_at: made_at, ...never }
  noteBackup(foyer.data_dir, one)
  fs.writeFileSync(`${file}.2`, 'two')
  noteBackup(foyer.data_dir, { ...one, sha256: 'two', file: `${file}.2`, made_at: later, tried_at: null })
  expect(await told(first)).toEqual({ made_at: later, tried_at: made_at, opened_at: null, damaged: 0 })

  const opened_at = '2026-11-20T12:00:00.000Z'
  tellOpened(file, { sha256: 'one', opened_at })
  noteFound(foyer.data_dir, 'two', { is_same: false })
  expect(await told(first)).toEqual({ made_at: later, tried_at: opened_at, opened_at, damaged: 1 })
  expect([await told(second), await told(desk)]).toEqual([null, null])
})

test('they are late when the rules for alerts say so', () => {
  const rules = fs.readFileSync(path.join(import.meta.dirname, '../../../deploy/prometheus/alerts.yaml'), 'utf8')
  for (const [moment, hours] of Object.entries(dashboard.backups_late_h)) {
    const [, factor, unit_s] =
      new RegExp(`foyer_backup_${moment.replace('_at', '')}_seconds\\) > (\\d+) \\* (\\d+)`).exec(rules) ?? []
    expect([moment, (Number(factor) * Number(unit_s)) / 3600]).toEqual([moment, hours])
  }
})
