// Replace MAC: gives a device its new address: one that was just refused here can be picked, any other is typed.
import { useState } from 'react'
import * as devices from '#contract/devices.ts'
import type { HelpSubject } from '#contract/guest-help.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { ageOf } from '#web/kit/display/dates.ts'
import { useTypedState } from '#web/kit/form/typed.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { say } from '#web/words/desk.ts'
import { useFocusedInput } from './focused-input.ts'
import styles from './guest-help.module.css'

export function ReplaceMac({ subject, reload }: { subject: HelpSubject; reload: () => Promise<unknown> }) {
  const mayReplace = useMayCall(devices.replaceMac)
  const [open, setOpen] = useTypedState(`replace ${subject.id}`, false)
  const [wrong, setWrong] = useState<string>()
  if (!mayReplace) return null
  const { id, detail: before, name } = subject
  const replace = async (mac_address: string) => {
    try {
      await call(devices.replaceMac, { id, mac_address })
      notify.success(say('mac.known', { name }), {
        label: say('undo'),
        onPick: () => void (before && replace(before)),
      })
      setOpen(false)
    } catch (error) {
      setWrong(sentenceOf(error))
    }
    forgetLists(devices.list.path)
    invalidateOthers()
    await reload()
  }
  return (
    <>
      <div className={styles.hands}>
        <Button icon="devices" expanded={open} onClick={() => (setWrong(undefined), setOpen(!open))}>
          {say('mac.replace-its')}
        </Button>
      </div>
      {open && <NewAddress of={id} seen={subject.seen} wrong={wrong} replace={replace} />}
    </>
  )
}

interface NewAddressProps {
  /** The device. */
  of: number
  seen: HelpSubject['seen']
  wrong: string | undefined
  replace: (mac_address: string) => Promise<void>
}

function NewAddress({ of, seen, wrong, replace }: NewAddressProps) {
  const [typed, setTyped] = useTypedState(`address ${of}`, '')
  const focused = useFocusedInput()
  return (
    <form
      className={styles.replace}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void replace(typed)
      }}
    >
      {seen.map(({ mac_address, tried_at }) => (
        <Button key={mac_address} onClick={() => void replace(mac_address)}>
          {say('mac.refused', { mac: mac_address, ago: ageOf(tried_at) })}
        </Button>
      ))}
      <div ref={focused}>
        <TextField
          label={say('mac.new')}
          name="mac_address"
          value={typed}
          onChange={setTyped}
          hint={wrong === undefined ? say('mac.hint') : undefined}
          error={wrong}
        />
      </div>
      <Button kind="primary" submit disabled={typed.trim() === ''}>
        {say('mac.replace')}
      </Button>
    </form>
  )
}
