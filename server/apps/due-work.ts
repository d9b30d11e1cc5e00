// Due work: the list of all its kinds. A new one is declared next to its code and listed here.
import { mails, mailWork, type Mailer } from '#server/deliveries/mails.ts'
import type { Texter } from '#server/deliveries/texter.ts'
import { texts, textWork } from '#server/deliveries/texts.ts'
import { adopt } from '#server/due/adopt.ts'
import type { DueWork } from '#server/due/due-work.ts'
import type { Job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import type { Services } from '#server/services.ts'

/** What a node opens for it. */
export interface Means extends Services {
  mailer: Mailer
  texter: Texter
}

export const dueWorks: readonly DueWork<Means>[] = [mailWork, textWork]

/** Jobs that nodes of the release before still send: what they are about becomes due work. The next release drops them. */
export const formerJobs: readonly Job<Services>[] = [
  adopt(
    jobKind<{ customer_id: number; mail_id: number; urgent?: boolean }>('mail', {
      limit: 12,
      after_s: 5,
      doubles: true,
    }),
    mails.kind,
    'mail_id',
  ),
  adopt(
    jobKind<{ customer_id: number; text_id: number; urgent?: boolean }>('text', {
      limit: 6,
      after_s: 5,
      doubles: true,
    }),
    texts.kind,
    'text_id',
  ),
]
