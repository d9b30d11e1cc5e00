// Kinds: the types of files that a custom portal may have, by their endings, and whether the content matches the ending. A file
// is served only as the type given here, whatever a browser might take it for.
import path from 'node:path'
import type { RefusedFileReason } from './limits.ts'

interface Kind {
  content_type: string
  /** Undefined: the content matches the ending. */
  wrong: (bytes: Buffer) => RefusedFileReason | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Undefined if it is not text. */
export function utf8TextOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const text =
  (wrong: (text: string) => RefusedFileReason | undefined = () => undefined) =>
  (bytes: Buffer) => {
    const read = utf8TextOf(bytes)
    return read === undefined ? 'notText' : wrong(read)
  }

/** Starts with one of these; `....` stands for any four bytes. */
const startsWith =
  (...marks: string[]) =>
  (bytes: Buffer): RefusedFileReason | undefined => {
    const start = bytes.toString('latin1', 0, 16)
    const fits = marks.some((mark) => mark.split('').every((sign, index) => sign === '.' || sign === start[index]))
    return fits ? undefined : 'otherKind'
  }

/** Skips declarations and comments before the first tag. */
function isDrawing(markup: string): boolean {
  let rest = markup.trimStart()
  for (let parts = 0; parts < 20 && /^<[?!]/.test(rest); parts++) {
    const close = rest.startsWith('<!--') ? '-->' : '>'
    const end = rest.indexOf(close)
    if (end < 0) return false
    rest = rest.slice(end + close.length).trimStart()
  }
  return /^<svg[\s/>]/i.test(rest)
}

const svg = text((drawing) => (/<!ENTITY/i.test(drawing) ? 'entities' : isDrawing(drawing) ? undefined : 'otherKind'))

const json = text((written) => {
  try {
    JSON.parse(written)
    return undefined
  } catch {
    return 'otherKind'
  }
})

const page = text((markup) => (/<[a-z!]/i.test(markup) ? undefined : 'otherKind'))

const kinds: Record<string, Kind> = {
  '.html': { content_type: 'text/html; charset=utf-8', wrong: page },
  '.css': { content_type: 'text/css; charset=utf-8', wrong: text() },
  '.js': { content_type: 'text/javascript; charset=utf-8', wrong: text() },
  '.json': { content_type: 'application/json; charset=utf-8', wrong: json },
  '.txt': { content_type: 'text/plain; charset=utf-8', wrong: text() },
  '.svg': { content_type: 'image/svg+xml', wrong: svg },
  '.png': { content_type: 'image/png', wrong: startsWith('\x89PNG\r\n\x1a\n') },
  '.jpg': { content_type: 'image/jpeg', wrong: startsWith('\xff\xd8\xff') },
  '.jpeg': { content_type: 'image/jpeg', wrong: startsWith('\xff\xd8\xff') },
  '.gif': { content_type: 'image/gif', wrong: startsWith('GIF87a', 'GIF89a') },
  '.webp': { content_type: 'image/webp', wrong: startsWith('RIFF....WEBP') },
  '.ico': { content_type: 'image/x-icon', wrong: startsWith('\0\0\x01\0') },
  '.woff': { content_type: 'font/woff', wrong: startsWith('wOFF') },
  '.woff2': { content_type: 'font/woff2', wrong: startsWith('wOF2') },
  '.ttf': { content_type: 'font/ttf', wrong: startsWith('\0\x01\0\0', 'true') },
}

export const fileEndings: readonly string[] = Object.keys(kinds)
export const fileKindOf = (file: string): Kind | undefined => kinds[path.posix.extname(file).toLowerCase()]
export const isPage = (file: string) => fileKindOf(file)?.content_type === kinds['.html']?.content_type
