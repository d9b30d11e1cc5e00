// Age: encrypts backups to BACKUP_RECIPIENT, and opens them with its identity (age-encryption.org). The machine that makes backups knows
// only the recipient: neither it nor whoever stores them can read them.
import fs from 'node:fs'
import { Readable, Transform } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { textOf } from '#server/errors/thrown.ts'
import { CannotStart } from '#server/start/cannot-start.ts'

const header = 'age-encryption.org/v1\n'

export async function encrypted(content: Readable, recipients: readonly string[]): Promise<Readable> {
  const encrypter = new Encrypter()
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new CannotStart(
        `BACKUP_RECIPIENT: ${recipient} is not a public key of age. \`age-keygen\` shows it as the public key.`,
      )
    }
  const made = await encrypter.encrypt(asWeb(content))
  return Readable.fromWeb(made as ReadableStream<Uint8Array>)
}

/** The archive in a file, decrypted if need be. */
export async function openedFile(
  file: string,
  { identity, progress }: { identity: string | null; progress: (part: number) => void },
): Promise<Readable> {
  const read = reading(file, progress)
  return isEncrypted(file) ? opened(read, file, identity) : read
}

/** @param called where it is refused */
export async function opened(content: Readable, called: string, identity: string | null): Promise<Readable> {
  if (identity === null)
    throw new CannotStart(
      `${called} is encrypted. Name the file with its identity: npm run restore ${called} -- --identity FILE`,
    )
  const decrypter = new Decrypter()
  for (const one of identitiesIn(identity)) decrypter.addIdentity(one)
  try {
    return Readable.fromWeb((await decrypter.decrypt(asWeb(content))) as ReadableStream<Uint8Array>)
  } catch (error) {
    content.destroy()
    throw new CannotStart(`${called} cannot be opened with ${identity}: ${textOf(error)}`)
  }
}

export function isEncrypted(file: string): boolean {
  const start = Buffer.alloc(header.length)
  const handle = fs.openSync(file, 'r')
  try {
    fs.readSync(handle, start)
  } finally {
    fs.closeSync(handle)
  }
  return start.toString('latin1') === header
}

/** As `age-keygen` writes them, with comments. */
function identitiesIn(file: string): string[] {
  if (!fs.existsSync(file)) throw new CannotStart(`There is no file ${file}.`)
  const found = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (found.length === 0)
    throw new CannotStart(
      `${file} has no identity: a line that begins with AGE-SECRET-KEY-, as \`age-keygen\` writes it. One that is protected by a ` +
        'password has to be decrypted first (age --decrypt).',
    )
  return found
}

function reading(file: string, progress: (part: number) => void): Readable {
  const bytes_total = fs.statSync(file).size
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      progress(bytes / bytes_total)
      done(null, chunk)
    },
  })
  const source = fs.createReadStream(file)
  source.on('error', (error) => counted.destroy(error))
  return source.pipe(counted)
}

const asWeb = (content: Readable) => Readable.toWeb(content) as unknown as globalThis.ReadableStream<Uint8Array>
