// Lines above: what few users read above every screen, fetched for those alone.
import { lazy, Suspense } from 'react'
import type { User } from '#web/session/session.ts'

const MailsWait = lazy(() => import('./mails-wait.tsx').then((module) => ({ default: module.MailsWait })))
const SampleLine = lazy(() => import('./sample-line.tsx').then((module) => ({ default: module.SampleLine })))

export const LinesAbove = ({ user: { mails_wait, sample } }: { user: User }) => (
  <Suspense>
    {mails_wait && <MailsWait />}
    {sample && <SampleLine />}
  </Suspense>
)
