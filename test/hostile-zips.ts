// Hostile zips: what must not be accepted as a custom portal. Each has exactly one fault, and names the reason for which it must be
// refused, so that none passes because it was refused for another.
import { deflateRawSync } from 'node:zlib'
import { aPage, aPortalZip, aZip, type ZipEntry } from '#test/zips.ts'

const index: ZipEntry = { name: 'index.html', content: aPage() }
/** Adds files to a valid page. */
const withFiles =
  (...more: ZipEntry[]) =>
  () =>
    aPortalZip(...more)
const named = (name: string | Buffer) => withFiles({ name, content: 'x' })
const page = (more: string) => () => aZip([{ name: 'index.html', content: aPage(more) }])
const text = (name: string, content: string | Buffer) => withFiles({ name, content })
const spaces = (bytes: number) => Buffer.alloc(bytes, ' ')
/** Bytes that hardly compress. */
const noise = (bytes: number, start = '') => {
  const all = Buffer.alloc(bytes)
  let state = 1
  for (let at = 0; at < bytes; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    all[at] = state >>> 16
  }
  all.write(start, 'latin1')
  return all
}
const png = '\x89PNG\r\n\x1a\n'

const damaged_zip = 'This zip is damaged or incomplete'
const bad_name = 'characters that an address cannot have'

/** A description, the zip, and the expected sentence, or a part of it. */
export const hostileZips: [what: string, zip: () => Buffer, sentence: string][] = [
  // Not a zip, or not a complete one
  ['nothing', () => Buffer.alloc(0), 'This is not a zip'],
  ['a page called .zip', () => Buffer.from(aPage()), 'This is not a zip'],
  ['a program with a zip behind it', () => aZip([index], { before: Buffer.from('MZ\x90\x00') }), 'This is not a zip'],
  ['another kind of archive', () => Buffer.from('\x1f\x8b\x08\x00'), 'This is not a zip'],
  ['a zip of nothing', () => aZip([]), 'There is no index.html'],
  ['half a zip', () => aPortalZip().subarray(0, 120), damaged_zip],
  ['a zip without its end', () => aPortalZip().subarray(0, -10), damaged_zip],
  ['bytes after the end', () => aZip([index], { after: Buffer.from('<script>') }), damaged_zip],
  ['bytes before the directory', () => aZip([index], { between: Buffer.from('hidden'), directory_offset: 5 }), damaged_zip],
  ['a directory that begins elsewhere', () => aZip([index], { directory_offset: 9999 }), damaged_zip],
  ['a directory with an entry more than it counts', () => aZip([index, { name: 'b.txt' }], { count: 1 }), damaged_zip],
  ['a directory with an entry less than it counts', () => aZip([index], { count: 2 }), damaged_zip],
  ['a directory with a wrong length', () => aZip([index], { directory_length: 10 }), damaged_zip],
  ['an entry beyond the end', withFiles({ name: 'a.txt', offset: 2 ** 31 }), damaged_zip],
  ['an entry inside the directory', withFiles({ name: 'a.txt', packed: Buffer.alloc(4), packed_size: 200, size: 4 }), damaged_zip],
  ['an entry that points into another content', withFiles({ name: 'a.txt', content: 'x', offset: 12 }), damaged_zip],
  // Names that point elsewhere
  ['a name that climbs', named('../index.html'), '“../index.html” leads out of the zip'],
  ['a name that climbs in the middle', named('css/../../../etc/passwd.txt'), 'leads out of the zip'],
  ['a name that climbs with backslashes', named('..\\..\\evil.txt'), 'leads out of the zip'],
  ['a name from the top of the disk', named('/etc/passwd.txt'), 'begins at the top of a disk'],
  ['a name of a drive', named('C:\\windows\\evil.txt'), 'begins at the top of a disk'],
  ['a name of a share', named('\\\\server\\share.txt'), 'begins at the top of a disk'],
  ['a name with a backslash', named('css\\page.txt'), bad_name],
  ['a name with a colon', named('a.txt:evil'), bad_name],
  ['a name with a zero', named('evil.html\0.txt'), bad_name],
  ['a name with a line break', named('a\r\nset-cookie: x.txt'), bad_name],
  ['a name that turns text round', named('a\u202etxt.html'), bad_name],
  ['a name with a sign of no width', named('in\u200bdex.txt'), bad_name],
  ['a name with a percent sign', named('%2e%2e/a.txt'), bad_name],
  ['a name with a query', named('a.txt?b'), bad_name],
  ['a name of markup', named('<img src=x>.txt'), bad_name],
  ['a name that is no UTF-8', named(Buffer.from([0xff, 0xfe, 0x2e, 0x74, 0x78, 0x74])), bad_name],
  ['a name that is a dot', named('css/./a.txt'), bad_name],
  ['a folder without a name', named('css//a.txt'), bad_name],
  ['a name that ends with a dot', named('a.txt.'), bad_name],
  ['no name', named(''), bad_name],
  ['a name of a device', named('css/CON.txt'), 'some computers keep for themselves'],
  ['a very long name', named(`${'a'.repeat(300)}.txt`), 'has a name longer than 180'],
  ['many folders', named('a/b/c/d/e/f.txt'), 'lies in more than 4 folders'],
  ["a name in Foyer's own folder", named('foyer/v1.js'), 'Foyer keeps for itself'],
  ["a name in Foyer's own folder, in capitals", named('Foyer/context.json'), 'Foyer keeps for itself'],
  // Two names for the same place
  ['the same name twice', withFiles({ name: 'index.html', content: aPage('<p>other</p>') }), 'has the name of another file'],
  ['the same name in capitals', named('INDEX.html'), 'has the name of another file'],
  ['the same name in wide letters', named('ｉndex.html'), 'has the name of another file'],
  ['the same name with a loose accent', withFiles({ name: 'é.txt' }, { name: 'e\u0301.txt' }), 'has the name of another file'],
  ['a file that is also a folder', withFiles({ name: 'a.txt' }, { name: 'a.txt/b.txt' }), 'is a file and a folder at once'],
  ['a folder that is also a file', withFiles({ name: 'a.txt/b.txt' }, { name: 'a.txt' }), 'is a file and a folder at once'],
  ['another name before the content', withFiles({ name: 'a.txt', local: { name: 'b.txt' } }), 'is described differently'],
  ['another packing before the content', withFiles({ name: 'a.txt', local: { method: 0 } }), 'is described differently'],
  // Not a plain file
  ['a link', withFiles({ name: 'a.txt', content: '/etc/passwd', mode: 0o120777 }), '“a.txt” is a link'],
  ['a link to a folder', withFiles({ name: 'a/', content: '/etc', mode: 0o120777 }), '“a/” is a link'],
  ['a pipe', withFiles({ name: 'a.txt', mode: 0o010644 }), 'is not a regular file'],
  ['a device', withFiles({ name: 'a.txt', mode: 0o060644 }), 'is not a regular file'],
  ['a folder with a content', withFiles({ name: 'a/', content: 'x', mode: 0o040755 }), 'is a folder with content of its own'],
  // Encrypted, or compressed in ways that are not supported
  ['a password', withFiles({ name: 'a.txt', flags: 0x801 }), 'protected by a password'],
  ['a hidden directory of names', withFiles({ name: 'a.txt', flags: 0x2800 }), 'protected by a password'],
  ['strong encryption', withFiles({ name: 'a.txt', flags: 0x841 }), damaged_zip],
  ['an old way of packing', withFiles({ name: 'a.txt', method: 6 }), 'is compressed in a way that cannot be read'],
  ['a newer way of packing', withFiles({ name: 'a.txt', method: 93 }), 'is compressed in a way that cannot be read'],
  [
    'the format for very large files',
    withFiles({ name: 'a.txt', extra: Buffer.from('0100100000000000000000000000000000000000', 'hex') }),
    'zip64',
  ],
  // More than it declares, or more than is allowed
  ['a bomb', text('a.txt', spaces(4_000_000)), 'unpacks to more than 100 times its size'],
  ['a bomb that lies', withFiles({ name: 'a.txt', packed: deflateRawSync(spaces(50_000_000)), size: 1000 }), 'is damaged'],
  ['a content shorter than declared', withFiles({ name: 'a.txt', content: 'abc', size: 4 }), 'is damaged'],
  ['a stored content of another length', withFiles({ name: 'a.txt', content: 'abc', stored: true, size: 2 }), 'is damaged'],
  ['a wrong checksum', withFiles({ name: 'a.txt', content: 'abc', crc: 1 }), 'is damaged'],
  [
    'bytes after a content',
    withFiles({ name: 'a.txt', content: 'a', packed: Buffer.concat([deflateRawSync('a'), Buffer.from('hidden')]) }),
    'is damaged',
  ],
  ['noise as a content', withFiles({ name: 'a.txt', content: 'a', packed: noise(40) }), 'is damaged'],
  [
    'two hundred names for one content',
    () => aZip([index, ...Array.from({ length: 150 }, (_, n) => ({ name: `i${n}ndex.html`, content: aPage(), shared: true }))]),
    'share their bytes',
  ],
  ['names that share a content', () => aZip([index, { ...index, shared: true }]), 'share their bytes'],
  ['more files than are read', withFiles(...Array.from({ length: 201 }, (_, n) => ({ name: `${n}.txt` }))), 'holds more than 200 files'],
  ['65,000 entries', () => aZip([index], { count: 65_000 }), 'holds more than 200 files'],
  [
    'more bytes than are read',
    withFiles(...Array.from({ length: 7 }, (_, n) => ({ name: `${n}.png`, packed: noise(50_000), size: 4_500_000 }))),
    'holds more than 25 MB',
  ],
  ['a large file', withFiles({ name: 'a.png', packed: noise(60_000), size: 5_500_000 }), 'is larger than 5 MB'],
  ['a large page', () => aZip([{ name: 'index.html', content: aPage(noise(300_000).toString('hex')) }]), 'is larger than 256 kB'],
  // Types
  ['a program', named('run.php'), 'is of a type that pages for guests cannot have: .php'],
  ['a zip in the zip', text('more.zip', aPortalZip()), 'cannot have: .zip'],
  ['settings of a server', named('.htaccess'), 'cannot have'],
  ['a page by another ending', named('a.xhtml'), 'cannot have: .xhtml'],
  ['a program of another kind', named('a.wasm'), 'cannot have: .wasm'],
  ['a page called a picture', text('a.png', aPage()), 'it is not a .png'],
  ['a zip called a picture', text('a.jpg', aPortalZip()), 'it is not a .jpg'],
  ['a picture called a font', text('a.woff2', noise(99, png)), 'it is not a .woff2'],
  ['a program called a page', text('a.html', Buffer.from('MZ\x90\x00\x03\x00\x00\x00')), 'is not text in UTF-8'],
  ['a page in UTF-16', text('a.html', Buffer.from(`\ufeff${aPage()}`, 'utf16le')), 'is not text in UTF-8'],
  ['a page called a drawing', text('a.svg', '<html><script>alert(1)</script></html>'), 'it is not a .svg'],
  ['a drawing with entities', text('a.svg', '<!DOCTYPE svg [<!ENTITY a "ha">]><svg>&a;</svg>'), 'declares entities'],
  ['invalid JSON', text('a.json', '{"a": '), 'it is not a .json'],
  // Pages that would not work, or are not allowed
  ['no page', () => aZip([{ name: 'page.html', content: aPage() }]), 'There is no index.html'],
  [
    'two folders with a page each',
    () => aZip(['a/index.html', 'b/index.html'].map((name) => ({ name, content: aPage() }))),
    'There is no index.html',
  ],
  ['a page for refusals without another try', text('error.html', '<h1>No</h1>'), '“error.html” has no way to sign in'],
  ['a page for codes without a form', text('code.html', '<h1>Code</h1>'), '“code.html” has no way to sign in'],
  ['no way to sign in', () => aZip([{ name: 'index.html', content: '<h1>Hello</h1>' }]), 'has no way to sign in'],
  ['a script in the page', page('<script>alert(1)</script>'), 'has a script inside the page'],
  ['a script in a tag', page('<img src="data:," ONERROR=alert(1)>'), 'has a script inside a tag (onerror)'],
  ['a script from elsewhere', page('<script src="https://evil.example/x.js"></script>'), 'loads https://evil.example/x.js'],
  ['a script from elsewhere, by any protocol', page('<script src=//evil.example/x.js></script>'), 'loads //evil.example/x.js'],
  ['styles from elsewhere', text('a.css', '@import "https://evil.example/x.css";'), 'loads https://evil.example/x.css'],
  ['a frame', page('<iframe src="http://127.0.0.1:3000/customer/login"></iframe>'), 'holds another page (<iframe>)'],
  ['another base', page('<base href="https://evil.example/">'), 'sets another base'],
  ['a form that is sent elsewhere', page('<form action="https://evil.example/"></form>'), 'sends its form to https://evil.example/'],
  ['a button that sends elsewhere', page('<button formaction="//evil.example"></button>'), 'sends its form to //evil.example'],
  ["a file of the site's own", page('<img src="/pictures/1">'), 'names /pictures/1 from the top of the site'],
  ['a picture that is not there', page('<img src="logo.png">'), 'names logo.png, which is not in the zip'],
  ['a placeholder of nothing', page('{{password}}'), 'has a placeholder that is not known: {{password}}'],
] // prettier-ignore
