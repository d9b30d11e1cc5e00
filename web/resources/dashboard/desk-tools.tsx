// Desk tools: what staff with a guest in front of them need first: find the guest, make one voucher, test one.
import { useState } from 'react'
import { search } from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { go } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to, withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { FindField } from '#web/ui/find-field.tsx'
import styles from './dashboard.module.css'

/**
 * A single match opens: an account without a problem on its own page, anybody else in guest help. Otherwise opens the search of
 * guest help with what was typed.
 */
async function findGuest(typed: string) {
  const found = await call(search, { search: typed }).catch(() => ({ candidates: [] }))
  const [guest, another] = found.candidates.filter(({ similar }) => !similar)
  if (window.location.pathname !== to.dashboard()) return
  if (!guest || another) go(to.guestHelp({ q: typed }))
  else if (guest.kind === 'account' && guest.problem === null) go(to.account(guest.id))
  else go(to.guestHelp({ kind: guest.kind, id: guest.id, q: typed }))
}

export function DeskTools() {
  const [typed, setTyped] = useState('')
  const maySearchGuests = mayCall(search)
  const property_id = useOwnProperty()
  const find = () => {
    const wanted = typed.trim()
    if (!maySearchGuests) go(to.accounts(wanted === '' ? {} : { q: wanted }))
    else if (wanted === '') go(to.guestHelp())
    else void findGuest(wanted)
  }
  return (
    <div className={styles.desk}>
      <search className={styles.find}>
        <FindField
          label={maySearchGuests ? 'Find a guest' : 'Find an account'}
          placeholder={maySearchGuests ? 'Find a guest by name, room, code or phone' : 'Find an account'}
          value={typed}
          onChange={setTyped}
          onEnter={find}
          size="small"
          icon="findGuest"
        />
      </search>
      {mayCall(batches.create) && (
        <LinkButton kind="primary" icon="vouchers" href={withModal(to.dashboard(), 'one-voucher', {})}>
          Give out a code
        </LinkButton>
      )}
      {property_id && mayCall(roomGuests.create) && (
        <LinkButton icon="checkIn" href={to.checkIn(property_id)}>
          Check in
        </LinkButton>
      )}
      <LinkButton icon="check" href={withModal(to.dashboard(), 'test-voucher', {})}>
        Test a voucher
      </LinkButton>
    </div>
  )
}
