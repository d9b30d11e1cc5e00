// One voucher: a dialog with an address, `?modal=one-voucher&property_id=7`, for the guest at the desk. Everything that is known
// is preset, so that Enter makes the voucher; then its code is shown, to be read out, copied or printed.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { addDays } from '#contract/days.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, keys, invalidateOthers } from '#web/kit/call/query-client.ts'
import { useNames } from '#web/kit/call/names.ts'
import { Field } from '#web/kit/form/field.tsx'
import { tidy } from '#web/kit/form/form-state.ts'
import { localOf, MomentField, momentOf } from '#web/kit/form/moment-field.tsx'
import { useMomentsIn } from '#web/kit/form/moments-in.ts'
import { useTypedState } from '#web/kit/form/typed.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { useZoneOf } from '#web/limits/zone-of.ts'
import { useMayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Notice } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import { Made, type MadeBatch } from './made.tsx'
import { keepPackage, usualPackage } from './usual-package.ts'
import styles from './voucher-batches.module.css'

export interface OneVoucherProps {
  property_id?: number
  close: () => void
}

const property_key = 'foyer-voucher-property'

export function OneVoucher({ property_id, close }: OneVoucherProps) {
  const mayMake = useMayCall(batches.create)
  const [made, setMade] = useState<MadeBatch>()
  const [busy, setBusy] = useState(false)
  return (
    // Closing the dialog while the code is being made would lose it.
    <Dialog open held={busy} onClose={close} title={say('give-out-a-code')} width={520}>
      {!mayMake && <NotPermitted icon="vouchers" />}
      {mayMake && !made && <Choices property_id={property_id} onMade={setMade} busy={busy} onBusy={setBusy} />}
      {mayMake && made && <Made batch={made} onAnother={() => setMade(undefined)} />}
    </Dialog>
  )
}

/** What the user chose, else a preset: from the address, the only property, or the last one. */
function useChoices(addressed: number | undefined) {
  const own = useOwnProperty()
  const [picked, pick] = useTypedState<{ property?: number | undefined; pack?: number | undefined }>('picked', {})
  const places = useNames(own === undefined ? properties.names : undefined)
  const last = Number(localStorage.getItem(property_key))
  const property =
    own ??
    picked.property ??
    addressed ??
    (places.length === 1 ? places[0]?.id : undefined) ??
    places.find(({ id }) => id === last)?.id
  const offered = useNames(packages.names).filter(({ status }) => status === 'active')
  const { data: itself } = useQuery({
    queryKey: keys.one(properties.get.path, property ?? 0),
    queryFn: ({ signal }) => call(properties.get, { id: property ?? 0 }, { signal }),
    enabled: property !== undefined,
  })
  const propertyPackage = offered.find(({ id }) => id === itself?.package_id)?.id
  const pack =
    picked.pack ?? usualPackage(offered) ?? propertyPackage ?? (property === undefined ? undefined : offered[0]?.id)
  return { own, property, pack, pick: (part: typeof picked) => pick({ ...picked, ...part }) }
}

/** The last minute of tomorrow, in the browser's time zone until that of the property is known. */
const tomorrowNight = () => momentOf(`${addDays(localOf(new Date().toISOString()).slice(0, 10), 1)}T23:59`)
const devices_usual = 50

/** In a text field of the event, or in the open list of a select, which is done once it is closed. */
const isTyping = () =>
  document.activeElement?.matches('input[type=text]:not([role=combobox]), [role=combobox][aria-expanded=true]') === true

/** A click on *An event* leads on to what is asked then; keys go on from where they are. */
function useLedTo(isOpen: boolean) {
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen || document.activeElement?.matches(':focus-visible') !== false) return
    const input = around.current?.querySelector('input')
    input?.focus()
    input?.select()
  }, [isOpen])
  return around
}

interface ChoicesProps {
  property_id: number | undefined
  onMade: (batch: MadeBatch) => void
  busy: boolean
  onBusy: (busy: boolean) => void
}

function Choices({ property_id, onMade, busy, onBusy }: ChoicesProps) {
  const [isEvent, setEvent] = useTypedState('event', false)
  const event = useForm(batches.EventVoucher, { name: '', devices: devices_usual, expires_at: tomorrowNight() }, () =>
    Promise.resolve(),
  )
  const { own, property, pack, pick } = useChoices(property_id)
  const times = useMomentsIn(event, ['expires_at'], useZoneOf(property))
  const [refused, setRefused] = useState<string>()
  const key = useRef(freshKey())
  const ready = property !== undefined && pack !== undefined
  const button = useRef<HTMLButtonElement>(null)
  const devices = useLedTo(isEvent)
  // Once nothing is left to choose, focuses the button, so that Enter makes the voucher, unless the user is typing.
  useEffect(() => {
    if (ready && !isTyping()) button.current?.focus()
  }, [ready])
  const make = async () => {
    if (!ready || busy || (isEvent && !event.check())) return
    onBusy(true)
    setRefused(undefined)
    try {
      const shared = isEvent ? tidy(batches.EventVoucher, event.values) : {}
      const place = own === undefined ? { property_id: property } : {}
      const ask = { quantity: 1, package_id: pack, ...place, ...shared }
      const batch = await call(batches.create, ask, { idempotencyKey: key.current })
      keepPackage(pack)
      localStorage.setItem(property_key, String(property))
      forgetLists(batches.list.path)
      invalidateOthers()
      onMade(batch)
    } catch (error) {
      if (!keepsKey(error)) key.current = freshKey()
      setRefused(sentenceOf(error))
    }
    onBusy(false)
  }
  return (
    <form
      className={styles.one}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault()
        void make()
      }}
    >
      {refused && <Notice tone="error">{refused}</Notice>}
      <Segments
        label={say('code.for')}
        bare
        options={[
          { value: 'guest', label: say('code.guest') },
          { value: 'event', label: say('code.event') },
        ]}
        value={isEvent ? 'event' : 'guest'}
        onChange={(next) => setEvent(next === 'event')}
      />
      {own === undefined && (
        <NameSelect
          label={say('property')}
          name="property_id"
          to="properties"
          value={property}
          onChange={(id) => pick({ property: id })}
        />
      )}
      <NameSelect
        label={say('code.package')}
        name="package_id"
        to="packages"
        value={pack}
        onChange={(id) => pick({ pack: id })}
        hint={say('code.package-hint')}
      />
      {isEvent && (
        <>
          <div ref={devices}>
            <Field form={event} name="devices" label={say('guest.devices')} hint={say('code.devices-hint')} />
          </div>
          <MomentField form={event} name="expires_at" label={say('code.good-until')} {...times} />
          <Field form={event} name="name" label={say('code.event-name')} placeholder={say('code.event-example')} />
        </>
      )}
      <div className={styles.make}>
        <Button kind="primary" icon="vouchers" ref={button} submit busy={busy} disabled={!ready} first={ready}>
          {say('code.make')}
        </Button>
      </div>
    </form>
  )
}
