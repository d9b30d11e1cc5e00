// `npm run backup FILE`: everything of this installation in one file, while it runs.
import { parseArgs } from 'node:util'
import { backUp } from './backup/backup.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig } from '#server/start/config.ts'
import { command, placeOf, progressPrinter, secondsSince, sizeOf } from './backup-command.ts'

await command(async () => {
  const begun = performance.now()
  const { given, untried } = asked()
  const file = placeOf(given)
  const config = readConfig(process.env)
  const { bytes, has_key, customers } = await backUp({
    config,
    file,
    untried,
    log: console.log,
    progress: progressPrinter('Copying the database'),
  })
  console.log(`Backed up to ${file}: ${sizeOf(bytes)} in ${secondsSince(begun)}`)
  if (customers !== null) console.log(`It was restored into a spare folder while it was made: customers: ${customers}`)
  if (config.backup_recipients.length > 0)
    console.log(
      'It is encrypted: only whoever has the identity of BACKUP_RECIPIENT can read it. Test it there with --try.',
    )
  if (!has_key)
    console.log('SECRET_KEY is not in it: keep that apart. Without it, what it sealed cannot be read from this file.')
  else if (config.backup_recipients.length === 0)
    console.log(
      'The secret key is in it: whoever has this file can read everything. Keep it as you keep a key, or set BACKUP_RECIPIENT.',
    )
})

function asked() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { untried: { type: 'boolean' } } })
    const [given, ...more] = positionals
    if (!given || more.length > 0) throw new Error('one file')
    return { given, untried: values.untried === true }
  } catch {
    throw new CannotStart(
      'Name the file to write: npm run backup FILE. With -- --untried it is not restored meanwhile.',
    )
  }
}
