// Receive: parses a multipart upload. Its files are written to a folder of their own while they arrive, and never kept in memory.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendMultipart } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import type { FileField } from '#contract/shapes.ts'
import { invalid, Refused } from '#server/errors/refused.ts'
import { hasCode } from '#server/errors/thrown.ts'

export interface UploadedFile extends FileField {
  path: string
  byte_size: number
  sha256: string
}

/** Apart from the values of lists, each of which is a field of its own. */
const fields_max = 1000
const field_bytes_max = 100_000
/** For all fields together, in characters. */
const fields_chars_max = 300_000
/** How much is read and discarded after a refusal: clients that are still sending read the answer only afterwards. */
const drained_bytes_max = 32 * 1024 * 1024

type Fields = Record<string, unknown>
const folders = new WeakMap<FastifyRequest, string>()
/** Followed by the id of the process that receives the upload. */
const folder_start = 'foyer-upload-'

/** The fields of the upload, converted as their schema says: numbers and booleans arrive as text. Query fields count, too. */
export async function receive(request: FastifyRequest, schema: z.ZodObject): Promise<object> {
  if (!request.isMultipart()) throw new Refused('unsupported', { message: sendMultipart })
  const folder = await openUploadFolder()
  folders.set(request, folder)
  try {
    return await takeApart(request, schema, folder)
  } catch (error) {
    drain(request)
    throw refusedFor(error as Error & { code?: string }, schema)
  }
}

/** For what was received and is read: a folder of its own, which a start removes if this process is killed. */
export const openUploadFolder = () => mkdtemp(path.join(os.tmpdir(), `${folder_start}${process.pid}-`))

/** To be called when the request is answered or its connection is closed. */
export async function discardUpload(request: FastifyRequest) {
  const folder = folders.get(request)
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/**
 * At a start: removes the uploads of killed processes, which may be lists of guests with their passwords. Uploads with this
 * process's id are from an earlier process, too: in a container each has the same id.
 */
export async function discardAbandonedUploads() {
  const names = await readdir(os.tmpdir())
  const abandoned = names.filter((name) => {
    const pid = Number(name.startsWith(folder_start) && /^\d+(?=-)/.exec(name.slice(folder_start.length))?.[0])
    return pid > 0 && (pid === process.pid || !isRunning(pid))
  })
  // Those of another user of the machine cannot be removed, and stay.
  const discard = (name: string) => rm(path.join(os.tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  await Promise.all(abandoned.map(discard))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

async function takeApart(request: FastifyRequest, schema: z.ZodObject, folder: string): Promise<Fields> {
  const given: Fields = {}
  for (const [name, value] of Object.entries(request.query as Record<string, string>))
    put(given, name, fromText(schema.shape[name], value))
  const shapes = Object.values(schema.shape) as z.ZodType[]
  const files = Math.max(shapes.filter((field) => acceptedBy(field)).length, 1)
  const fields = shapes.reduce((sum, field) => sum + valuesMaxOf(field), fields_max)
  const limits = { fields, fieldSize: field_bytes_max, files, fileSize: Infinity, parts: fields + files }
  let chars = 0
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') await takeFile(given, part, schema, folder)
    else if ((chars += String(part.value).length) > fields_chars_max) throw new Refused('tooLarge')
    else takeField(given, part, schema)
  }
  return given
}

function valuesMaxOf(field: z.ZodType): number {
  const inner = unwrapped(field)
  return inner instanceof z.ZodArray ? (z.toJSONSchema(inner, { unrepresentable: 'any' }).maxItems ?? 0) : 0
}

/** A field may be given in the address and in the form. Where one of them is empty, it is the other. */
function put(given: Fields, name: string, value: unknown) {
  const former = given[name]
  if (isEmpty(value)) given[name] = former ?? value
  else if (isEmpty(former) || JSON.stringify(former) === JSON.stringify(value)) given[name] = value
  else throw invalid({ [name]: ['This is given twice, and differently.'] })
}

const isEmpty = (value: unknown) => value == null || value === '' || (Array.isArray(value) && value.length === 0)

function takeField(given: Fields, { fieldname, value, valueTruncated }: MultipartValue, schema: z.ZodObject) {
  const name = fieldname.replace(/\[\]$/, '')
  if (valueTruncated) throw invalid({ [name]: [`Please use at most ${field_bytes_max} characters`] })
  const read = fromText(schema.shape[name], String(value))
  if (name === fieldname) return put(given, name, read)
  const former = given[name]
  const list: unknown[] = Array.isArray(former) ? former : isEmpty(former) ? [] : [former]
  if (value !== '') list.push(read)
  given[name] = list
}

async function takeFile(
  given: Fields,
  { file, fieldname, filename }: MultipartFile,
  schema: z.ZodObject,
  folder: string,
) {
  const accepts = acceptedBy(schema.shape[fieldname])
  // An empty file input of a form sends a part without a name.
  if (!filename) return void file.resume()
  if (!accepts) {
    // A field that takes no file refuses this like any wrong value, and an unknown field is refused as such.
    put(given, fieldname.replace(/\[\]$/, ''), { file: filename })
    return void file.resume()
  }
  if (given[fieldname]) throw invalid({ [fieldname]: [messages.imports.oneFile] })
  given[fieldname] = await store(file, path.join(folder, fieldname), filename, fieldname, accepts)
}

interface Accepted {
  types: string[]
  bytes_max: number
  too_large: string
}
/** The limits of a field that takes a file, whether required or not. */
const acceptedBy = (field: z.core.$ZodType | undefined) =>
  field instanceof z.ZodType ? (unwrapped(field).meta()?.['file'] as Accepted | undefined) : undefined

/** Errors of the parser are caused by the upload or the connection; the details are of no use to a person. */
function refusedFor(error: Error & { code?: string }, schema: z.ZodObject): Error {
  if (error instanceof Refused) return error
  const field = Object.keys(schema.shape).find((name) => acceptedBy(schema.shape[name])) ?? 'body'
  if (error.code === 'FST_FILES_LIMIT') return invalid({ [field]: [messages.imports.oneFile] })
  if (error.code === 'FST_FIELDS_LIMIT' || error.code === 'FST_PARTS_LIMIT') return new Refused('tooLarge')
  if (isOfOurDisk(error)) return error
  return invalid({ [field]: ['The upload was interrupted or is damaged. Please try again.'] })
}

/** An error of writing the upload, not of what was sent. */
const isOfOurDisk = ({ syscall }: NodeJS.ErrnoException) => syscall !== undefined && syscall !== 'read'

function drain({ raw }: FastifyRequest) {
  raw.unpipe()
  let length = 0
  raw.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > drained_bytes_max) raw.destroy()
  })
  raw.resume()
}

async function store(
  stream: Readable,
  target: string,
  name: string,
  field: string,
  accepts: Accepted,
): Promise<UploadedFile> {
  if (!accepts.types.includes(path.extname(name).toLowerCase())) {
    const message = `Please choose a file of type ${accepts.types.join(', ')}.`
    throw new Refused('unsupported', { message, errors: { [field]: [message] } })
  }
  const sha256 = createHash('sha256')
  let byte_size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      byte_size += chunk.length
      sha256.update(chunk)
      done(
        byte_size > accepts.bytes_max
          ? new Refused('tooLarge', {
              message: accepts.too_large,
              errors: { [field]: [accepts.too_large] },
            })
          : null,
        chunk,
      )
    },
  })
  await pipeline(stream, measure, createWriteStream(target))
  const digest = sha256.digest('hex')
  // Left out of the request's fingerprint: the path. Only name and content identify the file.
  return Object.defineProperty({ name, path: target, byte_size, sha256: digest }, 'toJSON', {
    value: () => ({ name, sha256: digest }),
  })
}

/** `"3"` for a number, `"true"` for a boolean, JSON for an object. */
function fromText(schema: unknown, text: string): unknown {
  if (!(schema instanceof z.ZodType)) return text
  const inner = unwrapped(schema)
  if (text === '') return fromEmpty(schema, inner)
  if (inner instanceof z.ZodArray) return fromText(inner.element, text)
  if (inner instanceof z.ZodNumber) return Number(text)
  if (inner instanceof z.ZodBoolean)
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) return fromJson(text)
  return text
}

/** Null if that is allowed, an empty list for a list, the empty text where it is a value or is to be refused, and otherwise no value. */
function fromEmpty(schema: z.ZodType, inner: z.ZodType): unknown {
  if (schema.safeParse(null).success) return null
  if (inner instanceof z.ZodArray) return []
  return inner instanceof z.ZodString || schema.safeParse('').success ? '' : undefined
}

/** Text that is not JSON stays as it is, for the schema to refuse. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The schema inside optional, nullable and default wrappers; not the element of a list. */
const unwrapped = (schema: z.ZodType): z.ZodType =>
  'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema
