// Check: how far a test guest has got at a gateway, live while somebody looks; each red lamp says what to do.
import { useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { check, type Lamp } from '#contract/gateway-kinds.ts'
import * as gateways from '#contract/gateways.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { bringCertificate } from './certificate.ts'
import { heardOf } from './health.ts'
import styles from './gateways.module.css'

const refresh_ms = 3000

const titles: Record<Lamp['key'], string> = {
  redirect: 'Sends guests to the portal',
  asked: 'Asks, or answers when it is called',
  let_in: 'Lets a guest in',
  usage: 'Reports what guests use',
  end: 'Ends a session',
}
const words: Record<Lamp['state'], string> = { waiting: 'Waiting', green: 'OK', red: 'Needs fixing' }

export function GatewayCheck({ gateway: { id } }: { gateway: Output<typeof gateways.get> }) {
  const { data, isError, error, refetch } = useLiveQuery(
    check,
    { id },
    { key: ['gateway check', id], every_ms: refresh_ms },
  )
  if (isError && !data) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={280} />
  return (
    <div className={styles.unregistered}>
      <Panel title="Check it">
        <p className={styles.note}>Go through it once as a guest, with a phone. The lamps change by themselves.</p>
        <ol aria-label="Check it" className={styles.lamps}>
          {data.lamps.map(({ key, state, at, sentence }) => (
            <li key={key}>
              <span className={styles.lamp} data-state={state} aria-hidden="true" />
              <span>
                <strong>{titles[key]}</strong>
                <small>{[words[state], heardOf(at)].filter(Boolean).join(' · ')}</small>
                <small>{sentence}</small>
              </span>
            </li>
          ))}
        </ol>
        {data.certificate !== null && <Certificate id={id} fingerprint={data.certificate} />}
      </Panel>
    </div>
  )
}

/** Refused at fields that are not here: with another certificate than before, secrets are given again. */
const asksForSecrets = (error: unknown) => error instanceof Refused && Object.keys(error.errors).length > 0

/** Of a controller that has a certificate of its own. */
function Certificate({ id, fingerprint }: { id: number; fingerprint: string }) {
  const mayChange = useMayCall(gateways.update)
  const [busy, setBusy] = useState(false)
  if (!mayChange) return null
  const accept = async () => {
    setBusy(true)
    try {
      await call(gateways.update, { id, settings: { tls_fingerprint: fingerprint } })
      invalidateOthers()
    } catch (error) {
      if (!asksForSecrets(error)) return notify.failure(error)
      bringCertificate(id, fingerprint)
      go(to.gateway(id, 'details'))
      notify.error('Another certificate was accepted before: enter the secrets under Access again, and save.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button kind="primary" busy={busy} onClick={() => void accept()}>
      Accept this certificate
    </Button>
  )
}
