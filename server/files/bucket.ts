// Bucket: files in a bucket of Amazon S3 or a compatible service (MinIO, Ceph, Swift, R2), which all nodes share.
//
// Content is sent with its hash, which the bucket compares with what it received; streams are spooled first, so that their hash and
// length are known and nothing incomplete is left in the bucket.
import path from 'node:path'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Refused } from '#server/errors/refused.ts'
import { textOf, underlying } from '#server/errors/thrown.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { openSpool } from '#server/tables/spool.ts'
import type { BackupPlace } from './backup-place.ts'
import { isHash, storedAs, writeStream, type Hash, type Storage } from './storage.ts'

const connect_max_ms = 5000
/** How long a connection may be silent. */
const silence_max_ms = 30_000
/** Including the first. */
const tries_max = 3
const retry_after_s = 5
/** How long a start waits for it. */
const start_max_ms = 10_000
const not_found = 404

/** A part of a bucket, and how it is asked. */
export function partOf(url: string) {
  const { hostname: bucket, pathname, searchParams } = new URL(url)
  const start = pathname.replace(/^\/+|\/+$/g, '')
  return {
    bucket,
    keyOf: (name: string) => (start === '' ? name : `${start}/${name}`),
    client: clientFor(searchParams.get('endpoint'), searchParams.get('region')),
  }
}

/**
 * @param url as for `openStorage`; credentials come from the variables and files that AWS's own programs read.
 * @param away as for `openStorage`
 */
export async function openBucket(url: string, away?: (sentence: string) => void): Promise<Storage> {
  const { bucket, keyOf, client } = partOf(url)
  const objectOf = (customer_id: number, hash: Hash) => ({ Bucket: bucket, Key: keyOf(storedAs(customer_id, hash)) })
  const list = (of: { Prefix: string; Delimiter?: string }) =>
    answered(all(paginateListObjectsV2({ client }, { Bucket: bucket, ...of })))

  async function send(customer_id: number, hash: Hash, content: Buffer | Readable, byte_size: number) {
    const checked = { ContentLength: byte_size, ChecksumSHA256: Buffer.from(hash, 'hex').toString('base64') }
    await answered(client.send(new PutObjectCommand({ ...objectOf(customer_id, hash), Body: content, ...checked })))
  }

  const asked = client.send(new HeadBucketCommand({ Bucket: bucket }), {
    abortSignal: AbortSignal.timeout(start_max_ms),
  })
  await asked.catch((error: unknown) => {
    const sentence =
      `The bucket ${bucket} of STORAGE_URL cannot be used: ${describe(error)}. Check that it exists, that its region and ` +
      'endpoint are right, and that AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY may use it.'
    if (!away || !isAway(error)) throw new CannotStart(sentence)
    away(`${sentence} Pictures and files are missing until it answers.`)
  })
  return {
    async put(customer_id, content) {
      const hash = createHash('sha256').update(content).digest('hex')
      await send(customer_id, hash, content, content.byteLength)
      return hash
    },
    async putStream(customer_id, content, byte_size_max) {
      const spool = await openSpool()
      try {
        const made = await writeStream(content, byte_size_max, (bytes) => spool.append(bytes))
        await whileOpen(Readable.from(spool.content(), { objectMode: false }), (content) =>
          send(customer_id, made.hash, content, made.byte_size),
        )
        return made
      } finally {
        await spool.close()
      }
    },
    has: async (customer_id, hash) =>
      (await unlessAbsent(client.send(new HeadObjectCommand(objectOf(customer_id, hash))))) !== null,
    async read(customer_id, hash) {
      const found = await unlessAbsent(client.send(new GetObjectCommand(objectOf(customer_id, hash))))
      if (!found) return null
      const { Body, ContentLength } = found
      if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error(`the bucket sends no ${hash}`)
      return { byte_size: ContentLength, content: Body }
    },
    async remove(customer_id, hash) {
      await answered(client.send(new DeleteObjectCommand(objectOf(customer_id, hash))))
    },
    async customers() {
      const pages = await list({ Prefix: keyOf(''), Delimiter: '/' })
      const names = pages.flatMap(({ CommonPrefixes = [] }) =>
        CommonPrefixes.map(({ Prefix = '' }) => path.basename(Prefix)),
      )
      return names.filter((name) => /^\d+$/.test(name)).map(Number)
    },
    async writtenBefore(customer_id, moment) {
      const pages = await list({ Prefix: `${keyOf(String(Math.trunc(customer_id)))}/` })
      const older = pages.flatMap(({ Contents = [] }) =>
        Contents.filter(({ LastModified }) => LastModified !== undefined && LastModified < moment),
      )
      return older.map(({ Key = '' }) => path.basename(Key)).filter(isHash)
    },
    // A bucket has no half-written objects.
    clear: async () => {},
  }
}

/** Objects under names of their own, such as the parts of a log. */
export function openObjects(url: string): BackupPlace {
  const { bucket, keyOf, client } = partOf(url)
  const named = (name: string) => ({ Bucket: bucket, Key: keyOf(name) })
  return {
    async put(name, content) {
      const hash = createHash('sha256').update(content).digest('base64')
      const checked = { ContentLength: content.byteLength, ChecksumSHA256: hash }
      await answered(client.send(new PutObjectCommand({ ...named(name), Body: content, ...checked })))
    },
    async read(name) {
      const found = await unlessAbsent(client.send(new GetObjectCommand(named(name))))
      return found?.Body ? Buffer.from(await found.Body.transformToByteArray()) : null
    },
    isAway: async (failure) => isAway(underlying(failure)),
  }
}

function clientFor(endpoint: string | null, region: string | null): S3Client {
  const ownEndpoint = endpoint !== null && { endpoint, forcePathStyle: true, region: 'us-east-1' }
  return new S3Client({
    ...ownEndpoint,
    ...(region !== null && { region }),
    maxAttempts: tries_max,
    // The library's `requestTimeout` would end long uploads, or only warn.
    requestHandler: { connectionTimeout: connect_max_ms, socketTimeout: silence_max_ms },
    // Content already has its SHA-256; many compatible services do not know the library's own checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/**
 * Sends what a stream reads. If that ends early, the stream is closed before what it reads from: nobody would listen to an error of it
 * any more, which ends the program.
 */
export async function whileOpen<T>(content: Readable, send: (content: Readable) => Promise<T>): Promise<T> {
  const failed = new Promise<never>((_, reject) => void content.on('error', reject))
  try {
    return await Promise.race([send(content), failed])
  } finally {
    content.destroy()
  }
}

/** A failed request can be retried by the client; the cause is logged. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new Refused('unavailable', { retry_after_s, cause: error })
  }
}

export async function unlessAbsent<T>(answer: Promise<T>): Promise<T | null> {
  return await answered(
    answer.catch((error: unknown) => {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === not_found) return null
      throw error
    }),
  )
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = []
  for await (const page of pages) read.push(page)
  return read
}

/** It may answer later: it was not reached, or has a fault of its own. What refuses us goes on refusing. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'CredentialsProviderError') return false
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  return status === undefined || status >= 500
}

/** Answers without a body, as for a bucket, have no message. */
function describe(error: unknown): string {
  if (error instanceof S3ServiceException) return `it answers ${error.$metadata.httpStatusCode ?? 'nothing'}`
  return error instanceof Error ? error.message || error.name : textOf(error)
}
