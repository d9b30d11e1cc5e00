// Services: what every resource may need beyond its scope: the settings, the doors' database and the queue.
import type { Queue } from '#server/jobs/queue.ts'
import type { Seal } from '#server/access/seal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'

export interface Services {
  tenancy: Tenancy
  queue: Queue
  seal: Seal
  /** What links in mails start with, without a slash at the end. */
  public_url: string
  signup: 'first' | 'open' | 'closed'
}
