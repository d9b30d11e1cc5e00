// Receive: takes a multipart upload apart. Its file is written to a folder of its own while it arrives, never held in memory.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { words } from '#contract/words.ts'
import type { FileField } from '#contract/shapes.ts'
import { invalid, Refused } from '#server/refused.ts'

export interface UploadedFile extends FileField {
  path: string
  byte_size: number
  sha256: string
}

/** What a `download` handler gives. */
export interface FileAnswer {
  file_name: string
  content_type: string
  content: Readable | Buffer | string
}

const fields_max = 50
const field_bytes_max = 10_000

/** The fields of the upload, each as its schema has it: numbers and booleans come as text. Query fields count too. */
export async function receive(request: FastifyRequest, schema: z.ZodObject): Promise<object> {
  if (!request.isMultipart()) throw new Refused('unsupported', { message: 'Send multipart/form-data.' })
  const given: Record<string, unknown> = {}
  const put = (name: string, value: unknown) => {
    const former = given[name]
    if (former !== undefined && JSON.stringify(former) !== JSON.stringify(value))
      throw invalid({ [name]: ['This is given twice, and differently.'] })
    given[name] = value
  }
  for (const [name, value] of Object.entries(request.query as Record<string, string>)) put(name, fromText(schema.shape[name], value)) // prettier-ignore

  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-upload-'))
  request.raw.once('close', () => void rm(folder, { recursive: true, force: true }))
  let files = 0
  const parts = request.parts({
    limits: { fields: fields_max, fieldSize: field_bytes_max, files: 2, fileSize: Infinity },
  })
  for await (const part of parts) {
    if (part.type === 'field') {
      const name = part.fieldname.replace(/\[\]$/, '')
      const value = fromText(schema.shape[name], String(part.value))
      if (name !== part.fieldname) given[name] = [...((given[name] as unknown[]) ?? []), value]
      else put(name, value)
      continue
    }
    const accepts = schema.shape[part.fieldname]?.meta()?.['file'] as { types: string[]; bytes_max: number } | undefined
    if (!accepts || part.filename === '') {
      part.file.resume()
      continue
    }
    if (++files > 1 && given[part.fieldname] !== undefined) {
      part.file.resume()
      throw invalid({ [part.fieldname]: [words.imports.oneFile] })
    }
    given[part.fieldname] = await store(part.file, path.join(folder, String(files)), part.filename, part.fieldname, accepts) // prettier-ignore
  }
  return given
}

async function store(
  stream: Readable,
  target: string,
  name: string,
  field: string,
  accepts: { types: string[]; bytes_max: number },
): Promise<UploadedFile> {
  // prettier-ignore
  const type = path.extname(name).toLowerCase()
  if (!accepts.types.includes(type)) {
    stream.resume()
    throw new Refused('unsupported', { message: `Please choose a file of type ${accepts.types.join(', ')}.` })
  }
  const sha256 = createHash('sha256')
  let byte_size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      byte_size += chunk.length
      sha256.update(chunk)
      done(byte_size > accepts.bytes_max ? new Refused('tooLarge', { message: words.imports.tooLarge, errors: { [field]: [words.imports.tooLarge] } }) : null, chunk) // prettier-ignore
    },
  })
  await pipeline(stream, measure, createWriteStream(target))
  const digest = sha256.digest('hex')
  // Where it lies says nothing about what was asked: only name and content do.
  return Object.defineProperty({ name, path: target, byte_size, sha256: digest }, 'toJSON', { value: () => ({ name, sha256: digest }) }) // prettier-ignore
}

/** `"3"` for a number, `"true"` for a boolean, empty for nothing. */
function fromText(schema: unknown, text: string): unknown {
  if (!(schema instanceof z.ZodType)) return text
  const inner = unwrapped(schema)
  if (text === '' && !(inner instanceof z.ZodString)) return undefined
  if (inner instanceof z.ZodArray) return fromText(inner.element, text)
  if (inner instanceof z.ZodNumber) return Number(text)
  if (inner instanceof z.ZodBoolean) return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text // prettier-ignore
  return text
}

const unwrapped = (schema: z.ZodType): z.ZodType =>
  'unwrap' in schema && typeof schema.unwrap === 'function' ? unwrapped(schema.unwrap() as z.ZodType) : schema
