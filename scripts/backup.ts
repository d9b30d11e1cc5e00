// `npm run backup FILE`: everything of this installation in one file, while it runs.
import { backUp } from './backup/backup.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig } from '#server/start/config.ts'
import { command, placeOf, progressPrinter, secondsSince, sizeOf } from './backup-command.ts'

await command(async () => {
  const begun = performance.now()
  const [given, ...more] = process.argv.slice(2)
  if (!given || more.length > 0) throw new CannotStart('Name the file to write: npm run backup FILE')
  const file = placeOf(given)
  const config = readConfig(process.env)
  const { bytes, has_key } = await backUp({
    config,
    file,
    log: console.log,
    progress: progressPrinter('Copying the database'),
  })
  console.log(`Backed up to ${file}: ${sizeOf(bytes)} in ${secondsSince(begun)}`)
  console.log(
    has_key
      ? 'The secret key is in it: whoever has this file can read everything. Keep it as you keep a key.'
      : 'SECRET_KEY is not in it: keep that apart. Without it, what it sealed cannot be read from this file.',
  )
})
