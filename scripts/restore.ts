// `npm run restore FILE`: brings back what `npm run backup` wrote, into DATA_DIR. Foyer must not be running there. With --try it is
// restored into a spare folder, to see that it can be.
import { parseArgs } from 'node:util'
import { restore, tryRestore } from './backup/restore.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig } from '#server/start/config.ts'
import { command, placeOf, progressPrinter, secondsSince, sizeOfFile } from './backup-command.ts'

const usage =
  'Name the file to restore: npm run restore FILE, or npm run restore FILE replace. An encrypted one needs its identity: ' +
  'npm run restore FILE -- --identity FILE. To try it without bringing it back: npm run restore FILE -- --try'

await command(async () => {
  const begun = performance.now()
  const { given, how, isTrial, identity } = asked()
  const file = placeOf(given)
  const config = readConfig(process.env)
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
  const { made_at, customers, has_key, kept } = await restore({ ...options, replace: how === 'replace' })
  console.log(`Restored ${sizeOfFile(file)} of ${made_at} in ${secondsSince(begun)}: customers: ${customers}`)
  if (kept) console.log(`What was there before is kept in ${kept}`)
  if (!has_key) console.log('The backup has no key in it: start Foyer with the SECRET_KEY that it was made with.')
})

function asked() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { try: { type: 'boolean' }, identity: { type: 'string' } },
    })
    const [given, how, ...more] = positionals
    const isTrial = values.try === true
    if (!given || more.length > 0 || (how !== undefined && (how !== 'replace' || isTrial))) throw new Error(usage)
    return { given, how, isTrial, identity: values.identity }
  } catch {
    throw new CannotStart(usage)
  }
}
