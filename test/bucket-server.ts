// Bucket server: a local server with the protocol of Amazon S3.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import { unique } from '#test/foyer.ts'

export type BucketServer = Awaited<ReturnType<typeof openBucketServer>>

/** Its only account. */
const account = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** Sets the credentials for its buckets in the environment of this process until it is closed. */
export async function openBucketServer() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-buckets-'))
  // It signs the address of a bucket without the slash that current clients send, so signatures are tested elsewhere.
  const lenient = { silent: true, allowMismatchedSignatures: true }
  const server = new S3rver({ address: '127.0.0.1', port: 0, directory, ...lenient })
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  const before = Object.keys(account).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, account)
  return {
    endpoint,
    /** The address of a new, empty bucket, for STORAGE_URL. */
    bucket() {
      const name = unique('bucket')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
      // It stores each bucket in a folder.
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
