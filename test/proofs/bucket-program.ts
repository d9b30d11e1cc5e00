// Bucket program: a bucket server as a process of its own, by the clock that the environment sets. Says where it listens and its bucket.
import { openBucketServer } from '#test/bucket-server.ts'

const server = await openBucketServer()
console.log(JSON.stringify({ endpoint: server.endpoint, bucket: server.bucket() }))
