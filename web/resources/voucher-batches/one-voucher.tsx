// One voucher: a dialog with an address, `?modal=one-voucher&property_id=7`, for the guest at the desk. Everything that can
// be known is chosen already, so that Enter makes it; then its code stands there to be read out, copied or printed.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, keys, staleOthers } from '#web/kit/call/query-client.ts'
import { useNames } from '#web/kit/call/names.ts'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { useMayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/state.tsx'
import { TextField } from '#web/ui/text-field.tsx'
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
  return (
    <Dialog open onClose={close} title="One voucher" width={520}>
      {!mayMake && <NotPermitted icon="vouchers" />}
      {mayMake && !made && <Choices property_id={property_id} onMade={setMade} />}
      {mayMake && made && <Made batch={made} onAnother={() => setMade(undefined)} />}
    </Dialog>
  )
}

/** What is chosen by hand, else what is known: the address, the only one, the last one. */
function useChoices(addressed: number | undefined) {
  const own = useOwnProperty()
  const [picked, pick] = useState<{ property?: number | undefined; pack?: number | undefined }>({})
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
  const propertys = offered.find(({ id }) => id === itself?.package_id)?.id
  const pack =
    picked.pack ?? usualPackage(offered) ?? propertys ?? (property === undefined ? undefined : offered[0]?.id)
  return { own, property, pack, pick: (part: typeof picked) => pick({ ...picked, ...part }) }
}

function Choices({ property_id, onMade }: { property_id: number | undefined; onMade: (batch: MadeBatch) => void }) {
  const { own, property, pack, pick } = useChoices(property_id)
  const [busy, setBusy] = useState(false)
  const [devices, setDevices] = useState('')
  const [refused, setRefused] = useState<string>()
  const key = useRef(freshKey())
  const ready = property !== undefined && pack !== undefined
  const button = useRef<HTMLButtonElement>(null)
  // Once nothing is left to choose, Enter makes it.
  useEffect(() => {
    if (ready) button.current?.focus()
  }, [ready])
  const make = async () => {
    if (!ready || busy) return
    setBusy(true)
    setRefused(undefined)
    try {
      const ask = {
        quantity: 1,
        package_id: pack,
        devices: Number(devices) || 0,
        ...(own === undefined ? { property_id: property } : {}),
      }
      const batch = await call(batches.create, ask, { idempotencyKey: key.current })
      keepPackage(pack)
      localStorage.setItem(property_key, String(property))
      forgetLists(batches.list.path)
      staleOthers()
      onMade(batch)
    } catch (error) {
      if (!keepsKey(error)) key.current = freshKey()
      setRefused(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <form
      className={styles.one}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      {refused && <Notice tone="error">{refused}</Notice>}
      {own === undefined && (
        <NameSelect
          label="Property"
          name="property_id"
          from={properties.names}
          value={property}
          onChange={(id) => pick({ property: id })}
        />
      )}
      <NameSelect
        label="Package"
        name="package_id"
        from={packages.names}
        only={({ status }) => status === 'active'}
        value={pack}
        onChange={(id) => pick({ pack: id })}
        hint="What the guest gets."
      />
      <TextField
        label="Devices"
        name="devices"
        type="number"
        value={devices}
        onChange={(value) => setDevices(value.replace(/\D/g, '').slice(0, 5))}
        hint="How many this one code lets in, for a group or a meeting. Empty: as the package says."
      />
      <div className={styles.make}>
        <Button kind="primary" icon="vouchers" ref={button} submit busy={busy} disabled={!ready} first={ready}>
          Make voucher
        </Button>
      </div>
    </form>
  )
}
