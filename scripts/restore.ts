// `npm run restore FILE`: brings back what `npm run backup` wrote, into DATA_DIR. Foyer must not be running there. With --to it is brought
// forward to a moment by the archived log; with --try it is restored into a spare folder, to see that it can be.
import { parseArgs } from 'node:util'
import { end, type Recovery } from './backup/recover.ts'
import { restore, tryRestore } from './backup/restore.ts'
import { backupsThere } from '#server/db/backup-notes.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig } from '#server/start/config.ts'
import { command, placeOf, progressPrinter, secondsSince, sizeOfFile } from './backup-command.ts'

const usage =
  'Name the file to restore: npm run restore FILE, or npm run restore FILE replace. An encrypted one needs its identity: ' +
  'npm run restore FILE -- --identity FILE. To try it without bringing it back: npm run restore FILE -- --try. To bring it forward by ' +
  'the log of BACKUP_URL: npm run restore FILE -- --to 2026-11-29T12:05Z, or --to end. Without FILE that takes the last backup before.'

await command(async () => {
  const begun = performance.now()
  const { given, how, isTrial, identity, to } = asked()
  const config = readConfig(process.env)
  const file = given === undefined ? lastBefore(to, config.data_dir) : placeOf(given)
  const options = {
    config,
    file,
    identity: identity === undefined ? null : placeOf(identity),
    log: console.log,
    progress: progressPrinter('Unpacking and checking'),
  }
  if (isTrial) {
    const { made_at, customers } = await tryRestore(options)
    console.log(
      `Tried ${sizeOfFile(file)} of ${made_at} in ${secondsSince(begun)}: all of it is there, customers: ${customers}`,
    )
    return
  }
  const { made_at, customers, has_key, kept } = await restore({ ...options, to, replace: how === 'replace' })
  const forward = to === null ? '' : ` and its log to ${to === end ? 'the end' : to.toISOString()}`
  console.log(`Restored ${sizeOfFile(file)} of ${made_at}${forward} in ${secondsSince(begun)}: customers: ${customers}`)
  if (to !== null)
    console.log('Set BACKUP_URL to a place with nothing in it before Foyer starts, and make a backup then.')
  if (kept) console.log(`What was there before is kept in ${kept}`)
  if (!has_key) console.log('The backup has no key in it: start Foyer with the SECRET_KEY that it was made with.')
})

function asked() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { try: { type: 'boolean' }, identity: { type: 'string' }, to: { type: 'string' } },
    })
    const to = values.to === undefined ? null : momentOf(values.to)
    const names = positionals.filter((word) => word !== 'replace')
    const how = positionals.at(-1) === 'replace' ? 'replace' : undefined
    const isTrial = values.try === true
    if (names.length > 1 || positionals.length > names.length + (how ? 1 : 0)) throw new Error(usage)
    if (isTrial && (how !== undefined || to !== null)) throw new Error(usage)
    const [given] = names
    if (given === undefined && to === null) throw new Error(usage)
    return { given, how, isTrial, identity: values.identity, to }
  } catch {
    throw new CannotStart(usage)
  }
}

/** `2026-11-29T12:05`, of UTC unless it says otherwise, or the end of the log. */
function momentOf(word: string): Recovery['to'] {
  if (word === end) return end
  const [, day, time, zone = 'Z'] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?$/.exec(word) ?? []
  const moment = new Date(`${day}T${time}${zone}`)
  if (Number.isNaN(moment.getTime())) throw new Error(usage)
  return moment
}

/** The last backup that this data directory knows of, and that was made before. */
function lastBefore(to: Recovery['to'] | null, data_dir: string): string {
  const found = backupsThere(data_dir).find(({ made_at }) => !(to instanceof Date) || made_at < to.toISOString())
  if (found) return found.file
  throw new CannotStart(`No backup made before is known in ${data_dir}. Name its file.`)
}
