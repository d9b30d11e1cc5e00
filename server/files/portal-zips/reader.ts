// Reader: the process that unpacks an untrusted zip. It gets the file as its input, no secrets, no right to write or to start
// anything, and little memory and time (server/turns/confined.ts). It writes one line of JSON, then the contents.
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { crc32, createInflateRaw } from 'node:zlib'
import { entriesOf, UntrustedZip, type Packed } from './entries.ts'
import { isPage, fileKindOf, utf8TextOf } from './kinds.ts'
import { zipLimits, type RefusedFile, type RefusedFileReason, type ZipResult } from './limits.ts'
import { own_folder, wrongInPage, wrongInStyles } from './pages.ts'

const input = 0

interface Unpacked {
  path: string
  content: Buffer
  content_type: string
}

/** Undefined: the content does not match what the zip says. */
async function unpacked({ bytes, deflated, byte_size, crc32: sum }: Packed): Promise<Buffer | undefined> {
  const content = deflated ? await inflated(bytes, byte_size) : bytes
  return content?.length === byte_size && crc32(content) === sum ? content : undefined
}

/** The output is counted, because the directory may lie. Bytes after the end would be hidden content. */
async function inflated(bytes: Buffer, bytes_max: number): Promise<Buffer | undefined> {
  const inflate = createInflateRaw()
  inflate.end(bytes)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > bytes_max) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return inflate.bytesWritten === bytes.length ? Buffer.concat(chunks, length) : undefined
}

/** If the pages were packed with their folder, it is removed from the paths; it must then be the only one. */
function withoutOnlyFolder(files: Packed[]): Packed[] {
  if (files.some(({ path }) => path === 'index.html')) return files
  const [folder, ...others] = new Set(files.map(({ path }) => path.slice(0, path.indexOf('/') + 1)))
  if (!folder || others.length > 0 || !files.some(({ path }) => path === `${folder}index.html`))
    throw new UntrustedZip('noIndex')
  return files.map((file) => ({ ...file, path: file.path.slice(folder.length) }))
}

class Refusals {
  readonly list: RefusedFile[]
  constructor(list: RefusedFile[]) {
    this.list = [...list]
  }
  add(name: string, why: RefusedFileReason, detail?: string) {
    this.list.push({ name, why, ...(detail !== undefined && { detail }) })
  }
}

async function readZip(zip: Buffer): Promise<[ZipResult, Buffer[]]> {
  const { files: packed, refused, left_out } = await entriesOf(zip)
  const refusals = new Refusals(refused)
  // If files were refused, the index page may be one of them.
  const files = refused.length > 0 ? packed : withoutOnlyFolder(packed)
  const contents: Unpacked[] = []
  for (const file of files) {
    const content = await take(file, refusals)
    if (content) contents.push(content)
  }
  const names = new Set(files.map(({ path }) => path))
  if (refused.length === 0) for (const file of contents) check(file, names, refusals)
  const { list } = refusals
  if (list.length > 0) return [{ refused: list.slice(0, zipLimits.reported_max), count: list.length }, []]
  const listed = contents.map(({ path, content_type, content }) => ({ path, content_type, byte_size: content.length }))
  return [
    { files: listed, left_out: left_out.slice(0, zipLimits.reported_max).map(cut) },
    contents.map(({ content }) => content),
  ]
}

/** Undefined if it is refused. */
async function take(file: Packed, refusals: Refusals): Promise<Unpacked | undefined> {
  const kind = fileKindOf(file.path)
  const content = kind && !wrongBefore(file) ? await unpacked(file) : undefined
  const ending = path.posix.extname(file.path) || 'no ending'
  const why = !kind ? 'kind' : (wrongBefore(file) ?? (content ? kind.wrong(content) : 'damaged'))
  if (why) refusals.add(file.path, why, ending)
  return kind && content && !why ? { path: file.path, content, content_type: kind.content_type } : undefined
}

function wrongBefore({ path, byte_size }: Packed): RefusedFileReason | undefined {
  if (path.toLowerCase().startsWith(own_folder)) return 'ours'
  return isPage(path) && byte_size > zipLimits.page_bytes_max ? 'pageTooLarge' : undefined
}

function check({ path, content }: Unpacked, names: ReadonlySet<string>, refusals: Refusals) {
  const text = utf8TextOf(content) ?? ''
  const found = isPage(path)
    ? wrongInPage(text, path, names)
    : path.toLowerCase().endsWith('.css')
      ? wrongInStyles(text)
      : []
  for (const [why, detail] of found) refusals.add(path, why, detail)
}

async function write(piece: string | Buffer) {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
}

const cut = (name: string) => name.slice(0, zipLimits.reported_length_max)

const short = ({ name, detail, ...rest }: RefusedFile): RefusedFile => ({
  ...rest,
  name: cut(name),
  ...(detail !== undefined && { detail: cut(detail) }),
})

const [result, contents] = await readZip(fs.readFileSync(input)).catch((error: unknown): [ZipResult, Buffer[]] => [
  { unreadable: error instanceof UntrustedZip ? error.why : 'damaged' },
  [],
])
await write(`${JSON.stringify('refused' in result ? { ...result, refused: result.refused.map(short) } : result)}\n`)
for (const content of contents) await write(content)
