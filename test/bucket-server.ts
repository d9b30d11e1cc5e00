// Bucket server: a server on this machine that speaks the protocol of Amazon S3.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import { unique } from '#test/foyer.ts'

export type BucketServer = Awaited<ReturnType<typeof openBucketServer>>

/** The only account that it knows. */
const account = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** Until it is closed, the process's own variables say who may use its buckets. */
export async function openBucketServer() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-buckets-'))
  // It signs the address of a bucket without the slash that clients of today send, so signatures are left to others.
  const lenient = { silent: true, allowMismatchedSignatures: true }
  const server = new S3rver({ address: '127.0.0.1', port: 0, directory, ...lenient })
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  const before = Object.keys(account).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, account)
  return {
    endpoint,
    /** The address of an empty one, as STORAGE_URL takes it. */
    bucket() {
      const name = unique('bucket')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
      // It keeps each in a folder.
      fs.mkdirSync(path.join(directory, name))
      return `s3://${name}?endpoint=${encodeURIComponent(endpoint)}`
    },
    async close() {
      await server.close()
      for (const [name, value] of before)
        if (value === undefined) Reflect.deleteProperty(process.env, name)
        else process.env[name] = value
      fs.rmSync(directory, { recursive: true, force: true })
    },
  }
}
