// Receive: takes a multipart upload apart. Its files are written to a folder of their own while they arrive, never held in
// memory.
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

export interface UploadedFile extends FileField {
  path: string
  byte_size: number
  sha256: string
}

/** A list is a field for each of its values. */
const fields_max = 1000
const field_bytes_max = 100_000
/** Of all fields together, in characters. */
const fields_chars_max = 300_000
/** Of what comes after a refusal, so much is taken and thrown away: who is still sending hears no answer before it ends. */
const drained_bytes_max = 32 * 1024 * 1024

type Fields = Record<string, unknown>
const folders = new WeakMap<FastifyRequest, string>()
/** Before the process that takes the upload. */
const folder_start = 'foyer-upload-'

/** The fields of the upload, each as its schema has it: numbers and booleans come as text. Query fields count too. */
export async function receive(request: FastifyRequest, schema: z.ZodObject): Promise<object> {
  if (!request.isMultipart()) throw new Refused('unsupported', { message: sendMultipart })
  const folder = await mkdtemp(path.join(os.tmpdir(), `${folder_start}${process.pid}-`))
  folders.set(request, folder)
  try {
    return await takeApart(request, schema, folder)
  } catch (error) {
    drain(request)
    throw refusedFor(error as Error & { code?: string }, schema)
  }
}

/** When the request is answered, or its connection is gone. */
export async function discardUpload(request: FastifyRequest) {
  const folder = folders.get(request)
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/**
 * At a start: takes away the uploads of processes that were killed, which may be lists of guests with their passwords. Whatever
 * has this process's number is older than it: in a container each has the same.
 */
export async function discardAbandonedUploads() {
  const names = await readdir(os.tmpdir())
  const abandoned = names.filter((name) => {
    const pid = Number(name.startsWith(folder_start) && /^\d+(?=-)/.exec(name.slice(folder_start.length))?.[0])
    return pid > 0 && (pid === process.pid || !isRunning(pid))
  })
  // One that another user of the machine left stays.
  const discard = (name: string) => rm(path.join(os.tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  await Promise.all(abandoned.map(discard))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function takeApart(request: FastifyRequest, schema: z.ZodObject, folder: string): Promise<Fields> {
  const given: Fields = {}
  for (const [name, value] of Object.entries(request.query as Record<string, string>))
    put(given, name, fromText(schema.shape[name], value))
  const files = Object.values(schema.shape).filter((field) => acceptedBy(field)).length
  const limits = { fields: fields_max, fieldSize: field_bytes_max, files: Math.max(files, 1), fileSize: Infinity }
  let chars = 0
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') await takeFile(given, part, schema, folder)
    else if ((chars += String(part.value).length) > fields_chars_max) throw new Refused('tooLarge')
    else takeField(given, part, schema)
  }
  return given
}

function put(given: Fields, name: string, value: unknown) {
  const former = given[name]
  if (former != null && value != null && JSON.stringify(former) !== JSON.stringify(value))
    throw invalid({ [name]: ['This is given twice, and differently.'] })
  given[name] = value
}

function takeField(given: Fields, { fieldname, value, valueTruncated }: MultipartValue, schema: z.ZodObject) {
  const name = fieldname.replace(/\[\]$/, '')
  if (valueTruncated) throw invalid({ [name]: [`Please use at most ${field_bytes_max} characters`] })
  const read = fromText(schema.shape[name], String(value))
  if (name === fieldname) put(given, name, read)
  else given[name] = [...((given[name] as unknown[]) ?? []), read]
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
    // A field that takes no file refuses its name as it would any wrong value; one that is not known is told of.
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
/** Of a field that takes a file, whether or not one must be given. */
const acceptedBy = (field: z.core.$ZodType | undefined) =>
  field instanceof z.ZodType ? (unwrapped(field).meta()?.['file'] as Accepted | undefined) : undefined

/** What the parser complains of is the upload's fault, or the line's; what it is exactly is of no use to a person. */
function refusedFor(error: Error & { code?: string }, schema: z.ZodObject): Error {
  if (error instanceof Refused) return error
  const field = Object.keys(schema.shape).find((name) => acceptedBy(schema.shape[name])) ?? 'body'
  if (error.code === 'FST_FILES_LIMIT') return invalid({ [field]: [messages.imports.oneFile] })
  if (error.code === 'FST_FIELDS_LIMIT' || error.code === 'FST_PARTS_LIMIT') return new Refused('tooLarge')
  if (isOfOurDisk(error)) return error
  return invalid({ [field]: ['The upload was interrupted or is damaged. Please try again.'] })
}

/** The place where the upload is written, or what it is written with, and not what was sent. */
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
  // Where it lies says nothing about what was asked: only name and content do.
  return Object.defineProperty({ name, path: target, byte_size, sha256: digest }, 'toJSON', {
    value: () => ({ name, sha256: digest }),
  })
}

/**
 * `"3"` for a number, `"true"` for a boolean, JSON for an object; empty clears what may be null, is a list without values,
 * and else is nothing.
 */
function fromText(schema: unknown, text: string): unknown {
  if (!(schema instanceof z.ZodType)) return text
  const inner = unwrapped(schema)
  if (text === '' && schema.safeParse(null).success) return null
  if (text === '' && !(inner instanceof z.ZodString || inner instanceof z.ZodArray)) return undefined
  if (inner instanceof z.ZodArray) return text === '' ? [] : fromText(inner.element, text)
  if (inner instanceof z.ZodNumber) return Number(text)
  if (inner instanceof z.ZodBoolean)
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) return fromJson(text)
  return text
}

/** What is no JSON stays as it is, for the schema to refuse. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether it must be given, or may be null, left off; what a list holds is the list's own matter. */
const unwrapped = (schema: z.ZodType): z.ZodType =>
  'unwrap' in schema && typeof schema.unwrap === 'function' && !(schema instanceof z.ZodArray)
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema
