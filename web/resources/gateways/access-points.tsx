// Access points: the boxes behind one gateway. Those that were only heard of wait to be accepted; a press does it.
import { useState } from 'react'
import type { Input, Output } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/page.tsx'
import { heardOf } from './health.ts'
import styles from './gateways.module.css'

type Gateway = Output<typeof gateways.get>
type AccessPoint = Gateway['access_points'][number]
type Asked = Omit<Input<typeof gateways.accessPoints>, 'id'>

/** Shows nothing where a gateway has none. */
export function AccessPoints({ gateway: { id, name, access_points } }: { gateway: Gateway }) {
  const mayChange = useMayCall(gateways.accessPoints)
  const [busy, setBusy] = useState(false)
  if (access_points.length === 0) return null
  const ask = async (change: Asked) => {
    setBusy(true)
    try {
      await call(gateways.accessPoints, { id, ...change })
      invalidateOthers()
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(false)
    }
  }
  const drop = async ({ mac_address, state }: AccessPoint) => {
    const yes =
      state === 'claimed' ||
      (await confirm({
        title: `Drop ${mac_address}?`,
        description: `Guests connected to it can no longer sign in, unless it names itself as ${name}.`,
        accept: 'Drop',
      }))
    if (yes) await ask({ drop: [mac_address] })
  }
  const waiting = access_points.filter(({ state }) => state === 'claimed').map(({ mac_address }) => mac_address)
  return (
    <div className={styles.unregistered}>
      <Panel title="Access points">
        {mayChange && waiting.length > 1 && (
          <Button kind="primary" busy={busy} onClick={() => void ask({ accept: waiting.slice(0, at_once_max) })}>
            Accept all that are waiting
          </Button>
        )}
        <ul aria-label="Access points">
          {access_points.map((one) => (
            <li key={one.mac_address}>
              <span>
                <strong>{one.name ?? one.mac_address}</strong>
                <small>{[one.name && one.mac_address, heardOf(one.last_seen_at)].filter(Boolean).join(' · ')}</small>
                <small>
                  {one.state === 'accepted'
                    ? 'Accepted'
                    : 'Waiting: guests connected to it are told that the network is not set up.'}
                </small>
              </span>
              {mayChange && (
                <span>
                  {one.state === 'claimed' && (
                    <Button busy={busy} onClick={() => void ask({ accept: [one.mac_address] })}>
                      Accept
                    </Button>
                  )}
                  <Button kind="quiet" disabled={busy} onClick={() => void drop(one)}>
                    Drop
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
const at_once_max = 500
