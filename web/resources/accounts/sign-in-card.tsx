// Sign-in card: what a guest types at the portal, to be handed over: copied, printed as a card, or sent by mail.
import * as accounts from '#contract/accounts.ts'
import type { Output } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { printCard } from '#web/kit/call/print.ts'
import { CopyButton } from '#web/kit/made/copy-button.tsx'
import { SendByMail } from '#web/kit/made/send-by-mail.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './accounts.module.css'

export function SignInCard({ account }: { account: Output<typeof accounts.get> }) {
  const maySend = useMayCall(accounts.sendSignIn)
  const { id, name, email, username, password, property } = account
  // Half a sign-in is none.
  if (!maySend || username === null || password === null) return null
  const lines = [
    ['Username', username],
    ['Password', password],
  ] as const
  return (
    <div className={styles.card}>
      <CopyButton value={lines.map(([label, value]) => `${label}: ${value}`).join('\n')}>Copy both</CopyButton>
      <Button icon="print" onClick={() => printCard({ title: `Wi-Fi at ${property.name}`, note: name, lines })}>
        Print
      </Button>
      <SendByMail address={email ?? undefined} send={(address) => call(accounts.sendSignIn, { id, email: address })} />
    </div>
  )
}
