// Unzip: unpacks an untrusted zip. Its directory is checked before anything is inflated, and inflated bytes are counted, because the
// directory may be false.
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { spreadsheetLimits, UnreadableFile } from './limits.ts'

/** The needed parts of a zip by name. */
export async function inflatedParts(bytes: Buffer, isNeeded: (name: string) => boolean): Promise<Map<string, Buffer>> {
  const zip = await opened(bytes)
  const entries = await checked(zip)
  const parts = new Map<string, Buffer>()
  let left = spreadsheetLimits.inflated_bytes_max
  for (const entry of entries.filter(({ fileName }) => isNeeded(fileName))) {
    const content = await inflated(zip, entry, left)
    left -= content.length
    parts.set(entry.fileName, content)
  }
  return parts
}

const opened = (bytes: Buffer): Promise<ZipFile> =>
  fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true }).catch(() => {
    throw new UnreadableFile('damaged')
  })

/** The entries, all of them harmless according to the directory. */
async function checked(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > spreadsheetLimits.zip_entries_max) throw new UnreadableFile('tooMuch')
  const entries: Entry[] = []
  const names = new Set<string>()
  let promised_bytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName, compressedSize, uncompressedSize, compressionMethod } = entry
      if (entry.isEncrypted()) throw new UnreadableFile('locked')
      if (![0, 8].includes(compressionMethod)) throw new UnreadableFile('damaged')
      promised_bytes += uncompressedSize
      const swollen =
        uncompressedSize > spreadsheetLimits.ratio_from_bytes &&
        uncompressedSize > compressedSize * spreadsheetLimits.inflated_ratio_max
      if (promised_bytes > spreadsheetLimits.inflated_bytes_max || swollen) throw new UnreadableFile('tooMuch')
      const name = fileName.normalize('NFC').toLowerCase()
      if (names.has(name)) throw new UnreadableFile('damaged')
      names.add(name)
      entries.push(entry)
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('damaged')
  }
  if (!names.has('[content_types].xml')) throw new UnreadableFile('notSpreadsheet')
  return entries
}

async function inflated(zip: ZipFile, entry: Entry, bytes_max: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      length += (chunk as Buffer).length
      if (length > bytes_max) throw new UnreadableFile('tooMuch')
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('damaged')
  }
  return Buffer.concat(chunks, length)
}
