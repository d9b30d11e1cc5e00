// Example steps: the steps of the guests' page with made-up values, for previews.
import { authMethods } from '#contract/portals.ts'
import type { Step } from './design.ts'

const left = { seconds_left: 85_500, bytes_left: 1_400_000_000 }
const asked = { name: 'code', seconds_online: null, agreed: true } as const

export const exampleSteps = {
  sign_in: { name: 'sign-in' },
  refused: { name: 'sign-in', refused: 'unknown' },
  email_code: {
    ...asked,
    channel: 'email',
    method: authMethods.email,
    address: 'm•••@example.com',
    seconds_online: 600,
  },
  sms_code: { ...asked, channel: 'sms', method: authMethods.sms, address: '•••• 123' },
  online: { name: 'online', ...left },
  status: { name: 'status', ...left },
  signed_out: { name: 'signed-out' },
  away: { name: 'away', network_name: null },
} as const satisfies Record<string, Step>
