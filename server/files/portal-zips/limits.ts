// Limits of a custom portal's zip: how much it may contain, why it or one of its files is refused, and what its reader reports
// to the server.

const kilobyte = 1000
const megabyte = 1000 * kilobyte

export const zipLimits = {
  /** All entries of the directory, including folders and files that a Mac adds. */
  entries_max: 600,
  files_max: 200,
  /** A page is read and filled in for each guest. */
  page_bytes_max: 256 * kilobyte,
  file_bytes_max: 5 * megabyte,
  total_bytes_max: 25 * megabyte,
  /** Not applied to files below `ratio_from_bytes`: a plain picture may well shrink to a hundredth. */
  ratio_max: 100,
  ratio_from_bytes: 256 * kilobyte,
  depth_max: 5,
  path_length_max: 180,
  /** How many refused files are reported, and how many characters of a name. */
  reported_max: 100,
  reported_length_max: 100,
} as const

/** Why a zip is refused as a whole. The reader reports the key; the sentence is the server's. */
export const zipSentences = {
  notZip: 'This is not a zip. Pack the folder of your pages into a .zip and try again.',
  damaged: 'This zip is damaged or incomplete, or holds more than it lists. Pack the folder again and try again.',
  large: 'This zip is written in the format for very large files (zip64). Pack the folder with another program.',
  tooMany: `This zip holds more than ${zipLimits.files_max} files. Leave out what the pages do not need.`,
  tooMuch: `This zip holds more than ${zipLimits.total_bytes_max / megabyte} MB, unpacked. Leave out or shrink the largest files.`,
  overlapping: 'Files of this zip share their bytes, as only harmful zips do. Pack the folder again and try again.',
  noIndex: 'There is no index.html. It belongs at the top of the zip, or into its only folder.',
  broke: 'This zip is too complex to read. Pack the folder again and try again.',
} as const
export type UnreadableZip = keyof typeof zipSentences

/** Why one file is refused, written after its name; `detail` is text from the zip itself. */
export const fileSentences = {
  climbs: () => 'leads out of the zip.',
  absolute: () => 'begins at the top of a disk: names in a zip begin with a folder or a file.',
  badName: () =>
    'has a name with characters that an address cannot have. Use letters, digits, spaces, dots and hyphens.',
  reservedName: () => 'has a name that some computers keep for themselves. Choose another.',
  longName: () => `has a name longer than ${zipLimits.path_length_max} characters, with its folders.`,
  deep: () => `lies in more than ${zipLimits.depth_max - 1} folders.`,
  doubled: (of: string) => `has the name of another file, ${of}, apart from capitals and accents.`,
  hidesFolder: () => 'is a file and a folder at once.',
  link: () => 'is a link, not a file.',
  device: () => 'is not a regular file.',
  folderWithContent: () => 'is a folder with content of its own.',
  locked: () => 'is protected by a password.',
  packing: () => 'is compressed in a way that cannot be read. Use the usual one (deflate).',
  twoNames: () => 'is described differently before its content than in the zip’s directory.',
  tooLarge: () => `is larger than ${zipLimits.file_bytes_max / megabyte} MB.`,
  pageTooLarge: () =>
    `is larger than ${zipLimits.page_bytes_max / kilobyte} kB, which is too much for a phone that waits.`,
  swollen: () => `unpacks to more than ${zipLimits.ratio_max} times its size, as only harmful zips do.`,
  damaged: () => 'is damaged: its content is not what the zip says.',
  kind: (ending: string) => `is of a type that pages for guests cannot have: ${ending}.`,
  otherKind: (ending: string) => `is not what its ending says: it is not a ${ending}.`,
  notText: () => 'is not text in UTF-8. Save it as UTF-8.',
  entities: () => 'declares entities of its own. Save it without them.',
  ours: () => 'is in a folder that Foyer keeps for itself: foyer/.',
  inlineScript: (line: string) =>
    `has a script inside the page (line ${line}). Put it into a .js file: no other script runs.`,
  handler: (what: string) => `has a script inside a tag (${what}). Put it into a .js file: no other script runs.`,
  frame: (what: string) => `holds another page (${what}), which is not shown.`,
  base: (line: string) => `sets another base for its addresses (line ${line}). Leave it out.`,
  elsewhere: (what: string) => `loads ${what}, which a guest cannot reach before being online. Put it into the zip.`,
  sends: (what: string) => `sends its form to ${what}. Use action="{{action}}".`,
  rooted: (what: string) =>
    `names ${what} from the top of the site. Write it without the slash, from the page's own folder.`,
  absent: (what: string) => `names ${what}, which is not in the zip.`,
  placeholder: (what: string) => `has a placeholder that is not known: ${what}.`,
  noSignIn: () =>
    'has no way to sign in. Put {{form}} where the form belongs, a form of your own with action="{{action}}", or foyer/v1.js.',
} satisfies Record<string, (detail: string) => string>
export type RefusedFileReason = keyof typeof fileSentences

/** As reported by the reader; names and details are untrusted text from the zip. */
export interface RefusedFile {
  name: string
  why: RefusedFileReason
  detail?: string
}
export interface ListedFile {
  path: string
  content_type: string
  byte_size: number
}
/** The first line of the reader's output; the contents follow, one after the other. */
export type ZipResult =
  { files: ListedFile[]; left_out: unknown } | { refused: RefusedFile[]; count: number } | { unreadable: string }

/** Says why a zip is refused: one sentence, or one for each refused file. */
export class UnreadablePortal extends Error {
  override name = 'UnreadablePortal'
  readonly sentences: string[]
  constructor(sentences: string[]) {
    super(sentences[0])
    this.sentences = sentences
  }
}
