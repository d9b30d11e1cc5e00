// Names: how files of a zip may be named. A name becomes part of a URL, and never of a path on a disk.
import { zipLimits, type RefusedFileReason } from './limits.ts'

/** The path of a file, or of a folder if it ends with a slash; or why it is refused, with what can be read of the name. */
export type ReadName = { path: string } | { shown: string; why: RefusedFileReason }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Characters that URLs and all file systems allow. None that changes the direction of text; invisible ones only within an emoji. */
const segment = /^(?:[\p{L}\p{M}\p{N} ._\(\)+@,!'~=\-]|&|\p{RGI_Emoji}|\p{Extended_Pictographic})+$/v
/** Reserved by Windows, with any ending. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
/** Folders and files that systems and editors add by themselves; some tools pack the files as folders. */
const litter = new RegExp(
  [
    '(^|/)(__MACOSX|\\.git|\\.svn|\\.Trashes|\\.Spotlight-V100|\\.fseventsd|\\$RECYCLE\\.BIN)/',
    '(^|/)(\\.DS_Store|\\._[^/]*|(eh)?Thumbs\\.db|desktop\\.ini|\\.directory|~\\$[^/]*|[^/]*\\.swp|[^/]*~)(/|$)',
  ].join('|'),
  'i',
)

/** Of the raw name in the zip, which need not be a valid one. */
export const isLitter = (raw: Buffer) => litter.test(raw.toString('utf8'))

export function readName(raw: Buffer): ReadName {
  let name: string
  try {
    name = utf8.decode(raw).normalize('NFC')
  } catch {
    return { shown: raw.toString('latin1'), why: 'badName' }
  }
  const why = wrongWith(name)
  return why ? { shown: name, why } : { path: name }
}

function wrongWith(name: string): RefusedFileReason | undefined {
  if (/^([/\\]|[a-z]:)/i.test(name)) return 'absolute'
  const segments = name.replace(/\/$/, '').split(/[/\\]/)
  if (segments.includes('..')) return 'climbs'
  if (name.length > zipLimits.path_length_max) return 'longName'
  const within = name.replace(/\/$/, '').split('/')
  if (within.some((part) => !segment.test(part) || part === '.' || /^ |[ .]$/.test(part))) return 'badName'
  if (within.some((part) => reserved.test(part))) return 'reservedName'
  return within.length > zipLimits.depth_max ? 'deep' : undefined
}

/** Equal for readers that do not distinguish case and full-width letters. */
export const folded = (path: string) => path.normalize('NFKC').toUpperCase().toLowerCase().replace(/\/$/, '')
