// New password: generates a new password for a guest. Editors can look it up and undo the change; the front desk can do neither, so
// it is shown to them here, once, to be read out, copied or printed.
import { useState } from 'react'
import * as accounts from '#contract/accounts.ts'
import type { Output } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { printCard } from '#web/kit/made/print.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { CopyButton } from '#web/kit/made/copy-button.tsx'
import { JustMade, Values } from '#web/kit/made/just-made.tsx'
import { useMay, useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { easyPassword } from '#web/kit/made/easy-password.ts'

type Account = Output<typeof accounts.get>

const setPassword = async (id: number, password: string | null) =>
  showChange({ one: accounts.get.path, list: accounts.list.path }, id, await call(accounts.update, { id, password }))

export function NewPassword({ account }: { account: Account }) {
  const mayChange = useMayCall(accounts.update)
  const mayLookUp = useMay(accounts.list.area)
  const [made, setMade] = useState<string>()
  if (!mayChange) return null
  const { id, password: before } = account
  const renew = async () => {
    const password = easyPassword()
    await setPassword(id, password)
    if (!mayLookUp) return setMade(password)
    // The old one can be restored as long as the notice is shown.
    notify.success('The guest has a new password', {
      label: 'Undo',
      onPick: () => void setPassword(id, before).catch(notify.failure),
    })
  }
  return (
    <>
      <Button icon="refresh" onClick={() => void renew().catch(notify.failure)}>
        New password
      </Button>
      <Dialog open={made !== undefined} onClose={() => setMade(undefined)} title="New password" width={520}>
        {made !== undefined && <Made account={account} password={made} close={() => setMade(undefined)} />}
      </Dialog>
    </>
  )
}

function Made({ account, password, close }: { account: Account; password: string; close: () => void }) {
  const { name, username, property } = account
  const lines: (readonly [string, string])[] = [
    ...(username === null ? [] : [['Username', username] as const]),
    ['Password', password],
  ]
  return (
    <JustMade
      title="The guest has a new password"
      note={`${name} · ${property.name}. It is not shown again.`}
      actions={
        <>
          <Button
            kind="primary"
            icon="print"
            first
            onClick={() => printCard({ title: `Wi-Fi at ${property.name}`, note: name, lines })}
          >
            Print
          </Button>
          <CopyButton value={lines.map(([label, value]) => `${label}: ${value}`).join('\n')}>Copy</CopyButton>
        </>
      }
      next={
        <Button kind="quiet" onClick={close}>
          Done
        </Button>
      }
    >
      <Values rows={lines.map(([label, value]) => ({ label, value }))} />
    </JustMade>
  )
}
