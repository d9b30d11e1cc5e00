// Pages: finds what would not work in a page of a custom portal: scripts that the page's policy does not run, files that are
// elsewhere or missing, and unknown placeholders. The policy itself keeps pages from doing harm
// (server/guest/custom-portals.ts); nothing here needs to find every trick.
import path from 'node:path'
import { firstPage, placeholders, type StepPage } from '#contract/custom-pages.ts'
import { zipLimits, type RefusedFileReason } from './limits.ts'

type Found = [why: RefusedFileReason, detail?: string]

/** The folder of Foyer's own script and data among a portal's files. */
export const own_folder = 'foyer/'
export const runtimeName = `${own_folder}v1.js`

const lineOf = (text: string, index: number) => String(text.slice(0, index).split('\n').length)

interface Tag {
  name: string
  attributes: Map<string, string>
  index: number
}
const opening = () => /<(?:!--|([a-z][^\s/>]*))/gi
const attribute = /([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

/** The tags of a page, without those in comments and scripts. Reads each character once, even if tags are not closed. */
function* tagsOf(markup: string): Generator<Tag> {
  const next = opening()
  for (let match = next.exec(markup); match; match = next.exec(markup)) {
    const name = match[1]?.toLowerCase()
    const end = name === undefined ? markup.indexOf('-->', next.lastIndex) : endOfTag(markup, next.lastIndex)
    if (end < 0) return
    if (name !== undefined)
      yield { name, attributes: attributesIn(markup.slice(next.lastIndex, end)), index: match.index }
    next.lastIndex = end
    if (name !== 'script' && name !== 'style') continue
    const close = new RegExp(`</${name}`, 'gi')
    close.lastIndex = end
    if (!close.test(markup)) return
    next.lastIndex = close.lastIndex
  }
}

/** Where the tag ends; quoted values are skipped. */
function endOfTag(markup: string, from: number): number {
  const stop = /["'>]/g
  stop.lastIndex = from
  for (let match = stop.exec(markup); match; match = stop.exec(markup)) {
    if (match[0] === '>') return match.index
    const closed = markup.indexOf(match[0], stop.lastIndex)
    if (closed < 0) return -1
    stop.lastIndex = closed + 1
  }
  return -1
}

const attributesIn = (text: string) =>
  new Map(
    [...text.matchAll(attribute)].map(({ 1: key = '', 2: double, 3: single, 4: bare }) => [
      key.toLowerCase(),
      unescaped(double ?? single ?? bare ?? '').trim(),
    ]),
  )

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** An attribute as a browser reads it, as far as names of files need it: `salt&amp;pepper.png`. */
const unescaped = (text: string) =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (written, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? written
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
    },
  )

/** The text without what is between the marks; an unclosed one extends to the end. */
export function without(text: string, open: string, close: string): string {
  const kept: string[] = []
  let from = 0
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, from)) {
    kept.push(text.slice(from, at))
    const end = text.indexOf(close, at + open.length)
    from = end < 0 ? text.length : end + close.length
  }
  return [...kept, text.slice(from)].join(' ')
}

const loads: Record<string, string> = {
  script: 'src',
  img: 'src',
  source: 'src',
  video: 'src',
  audio: 'src',
  input: 'src',
  link: 'href',
}
const frames = ['iframe', 'frame', 'object', 'embed', 'applet', 'portal', 'fencedframe']
const isData = (type: string | undefined) => type !== undefined && /json/i.test(type)
const isElsewhere = (address: string) => /^([a-z][a-z\d+.-]*:)?\/\//i.test(address)

export function wrongInPage(markup: string, file: string, files: ReadonlySet<string>): Found[] {
  const found: Found[] = unknownPlaceholders(markup)
  for (const { name, attributes, index } of tagsOf(markup)) {
    if (name === 'script' && !attributes.has('src') && !isData(attributes.get('type')))
      found.push(['inlineScript', lineOf(markup, index)])
    const handler = [...attributes.keys()].find((key) => /^on[a-z]+$/.test(key))
    if (handler) found.push(['handler', handler])
    if (frames.includes(name)) found.push(['frame', `<${name}>`])
    if (name === 'base') found.push(['base', lineOf(markup, index)])
    const action = attributes.get(name === 'form' ? 'action' : 'formaction')
    if (action !== undefined && (isElsewhere(action) || action.startsWith('/'))) found.push(['sends', action])
    const address = attributes.get(loads[name] ?? '')
    if (address) found.push(...wrongWithAddress(address, file, files))
    for (const candidate of (attributes.get('srcset') ?? '').split(','))
      if (candidate.trim()) found.push(...wrongWithAddress(candidate.trim().split(/\s/)[0] ?? '', file, files))
  }
  if (pagesToSignIn.includes(file) && !signsIn(markup)) found.push(['noSignIn'])
  return found
}

/** Pages that need a form, or a guest gets no further. */
const pagesToSignIn: readonly string[] = [firstPage, 'error.html', 'code.html'] satisfies StepPage[]
const signsIn = (markup: string) => /\{\{\s*(form|action)\s*\}\}/.test(markup) || markup.includes(runtimeName)

export function wrongInStyles(styles: string): Found[] {
  const plain = without(styles, '/*', '*/')
  const address = /@import\s+["']([^"']+)|url\(\s*["']?([^"')\s]+)/gi
  return [...plain.matchAll(address)]
    .map(({ 1: imported, 2: used }) => imported ?? used ?? '')
    .flatMap((address): Found[] =>
      isElsewhere(address) ? [['elsewhere', address]] : address.startsWith('/') ? [['rooted', address]] : [],
    )
}

function wrongWithAddress(address: string, file: string, files: ReadonlySet<string>): Found[] {
  if (/^(data:|#)/i.test(address) || address.includes('{{')) return []
  if (isElsewhere(address)) return [['elsewhere', address]]
  if (address.startsWith('/')) return [['rooted', address]]
  const [bare = ''] = address.split(/[?#]/)
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), decoded(bare)))
  return files.has(target) || target === runtimeName ? [] : [['absent', address]]
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

function unknownPlaceholders(markup: string): Found[] {
  const names = new Set([...markup.matchAll(/\{\{([^{}]*)\}\}/g)].map(({ 1: name = '' }) => name.trim()))
  return [...names]
    .filter((name) => !Object.hasOwn(placeholders, name))
    .map((name) => ['placeholder', `{{${name.slice(0, zipLimits.reported_length_max)}}}`])
}
