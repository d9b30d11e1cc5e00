// `npm run restore FILE`: brings back what `npm run backup` wrote, into DATA_DIR. Foyer must not be running there.
import { restore } from './backup/restore.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig } from '#server/start/config.ts'
import { command, placeOf, progressPrinter, secondsSince, sizeOfFile } from './backup-command.ts'

await command(async () => {
  const begun = performance.now()
  const [given, how, ...more] = process.argv.slice(2)
  if (!given || (how !== undefined && how !== 'replace') || more.length > 0)
    throw new CannotStart('Name the file to restore: npm run restore FILE, or npm run restore FILE replace')
  const file = placeOf(given)
  const config = readConfig(process.env)
  const options = {
    config,
    file,
    replace: how === 'replace',
    log: console.log,
    progress: progressPrinter('Unpacking and checking'),
  }
  const { made_at, customers, has_key, kept } = await restore(options)
  console.log(`Restored ${sizeOfFile(file)} of ${made_at} in ${secondsSince(begun)}: customers: ${customers}`)
  if (kept) console.log(`What was there before is kept in ${kept}`)
  if (!has_key) console.log('The backup has no key in it: start Foyer with the SECRET_KEY that it was made with.')
})
