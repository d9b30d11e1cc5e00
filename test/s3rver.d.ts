// The parts of s3rver that the tests use; it has no types of its own.
declare module '@20minutes/s3rver' {
  interface Options {
    address: string
    port: number
    silent: boolean
    allowMismatchedSignatures: boolean
    directory: string
  }
  export default class S3rver {
    constructor(options: Options)
    configureBuckets(): Promise<void>
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
