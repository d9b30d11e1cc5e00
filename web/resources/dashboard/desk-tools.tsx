// Desk tools: what somebody with a guest in front of them needs first: find the guest, make one voucher, test one.
import { useState } from 'react'
import * as accounts from '#contract/accounts.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { go } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to, withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { Icon } from '#web/ui/icons.tsx'
import styles from './dashboard.module.css'

/** The guest's page where only one is called so; else the list of those who are, which also says what could not be asked. */
async function findGuest(typed: string) {
  const found = await call(accounts.list, { searchValue: typed, per_page: 2 }).catch(() => ({ data: [] }))
  const [guest, another] = found.data
  if (window.location.pathname !== to.dashboard()) return
  go(guest && !another ? to.account(guest.id) : to.accounts({ q: typed }))
}

export function DeskTools() {
  const [typed, setTyped] = useState('')
  return (
    <div className={styles.desk}>
      <form
        role="search"
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault()
          const wanted = typed.trim()
          if (wanted === '') go(to.accounts())
          else void findGuest(wanted)
        }}
      >
        <Icon name="findGuest" size={16} />
        <input
          type="text"
          aria-label="Find a guest"
          placeholder="Find a guest by name, room or phone"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      {mayCall(batches.create) && (
        <LinkButton kind="primary" icon="add" href={withModal(to.dashboard(), 'one-voucher', {})}>
          One voucher
        </LinkButton>
      )}
      <LinkButton icon="vouchers" href={withModal(to.dashboard(), 'test-voucher', {})}>
        Test a voucher
      </LinkButton>
    </div>
  )
}
