// Setup: what to paste into a gateway, and the RADIUS secret if it was just made.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { secret_place, setUp as readSetUp } from '#contract/gateway-kinds.ts'
import * as gateways from '#contract/gateways.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { RecordLink } from '#web/kit/detail/referred.tsx'
import { dateOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { CopyButton } from '#web/kit/made/copy-button.tsx'
import { Copyable } from '#web/kit/made/copyable.tsx'
import { JustMade, Values } from '#web/kit/made/just-made.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { GatewayCheck } from './check.tsx'
import { stopsForms } from './health.ts'
import { useKinds } from './kinds.ts'
import { forgetSecret, keepSecret, secretOf } from './secret.ts'
import styles from './gateways.module.css'

export function GatewaySetup({ gateway }: { gateway: Output<typeof gateways.get> }) {
  const { id, name, property } = gateway
  const [secret, setSecret] = useState(secretOf(id))
  const mayMake = useMayCall(gateways.makeSecret)
  // After leaving the page the secret is not shown again; users who did not copy it make another one.
  useEffect(() => () => forgetSecret(id), [id])
  const make = async () => {
    const yes = await confirm({
      title: 'Make a new RADIUS secret?',
      description: 'The gateway is not answered until it has the new one. Nobody new gets online in the meantime.',
      accept: 'Make a new secret',
    })
    if (!yes) return
    try {
      const { radius_secret } = await call(gateways.makeSecret, { id })
      keepSecret(id, radius_secret)
      setSecret(radius_secret)
      invalidateOthers()
    } catch (error) {
      notify.failure(error)
    }
  }
  return (
    <div className={styles.setup}>
      {secret && (
        <JustMade
          title="The RADIUS secret is ready"
          note={`${name}, ${property.name}. It is shown only once: copy it, or paste the lines below, before you leave.`}
          actions={<CopyButton value={secret}>Copy the secret</CopyButton>}
          next={
            <LinkButton kind="quiet" href={to.gatewaysOf(property.id)}>
              All gateways
            </LinkButton>
          }
        >
          <Values rows={[{ label: 'RADIUS secret', value: secret }]} />
        </JustMade>
      )}
      <Instructions gateway={gateway} secret={secret} mayMake={mayMake} />
      <GatewayCheck gateway={gateway} />
      {mayMake && !secret && (
        <Panel title="RADIUS secret">
          <div className={styles.told}>
            <p>
              {gateway.radius_secret_made_at
                ? `Made on ${dateOf(gateway.radius_secret_made_at)}. It cannot be shown again.`
                : 'There is none yet.'}
            </p>
            <Button icon="refresh" onClick={() => void make()}>
              Make a new secret
            </Button>
          </div>
        </Panel>
      )}
    </div>
  )
}

/** In the words of its make. The server does not know the secret any more: it is put in its place here while this page does. */
function Instructions({
  gateway,
  secret,
  mayMake,
}: {
  gateway: Output<typeof gateways.get>
  secret: string | undefined
  mayMake: boolean
}) {
  const { id, gateway_type, portal_url } = gateway
  const kind = useKinds()(gateway.gateway_type_id)
  const setUp = useQuery({
    queryKey: ['gateway set-up', id, gateway],
    queryFn: ({ signal }) => call(readSetUp, { id }, { signal }),
  })
  if (setUp.isError) return <LoadFailed error={setUp.error} again={() => void setUp.refetch()} />
  if (!setUp.data) return <Skeleton height={320} />
  const told = (text: string) => (secret === undefined ? text : text.replaceAll(secret_place, secret))
  const { where, values, unreachable, portal_off, captive_line } = setUp.data
  const lines = setUp.data.lines === null ? null : told(setUp.data.lines)
  return (
    <>
      {unreachable !== null && <Notice tone="error">{unreachable}</Notice>}
      {portal_off !== null && (
        <Notice tone="error">
          Guests who are sent to the portal see no page: it is disabled or a draft.{' '}
          <RecordLink to="portals" {...portal_off} />
        </Notice>
      )}
      <Panel title={gateway_type.name} actions={lines && <CopyButton value={lines}>Copy the lines</CopyButton>}>
        <div className={styles.told}>
          <p>{where}</p>
          {lines && (
            <pre className={styles.lines} role="region" aria-label="Lines to paste" translate="no">
              {lines}
            </pre>
          )}
          {values.length > 0 && (
            <Facts
              facts={values.map(({ name, value }) => [
                name,
                told(value) === secret_place ? null : (
                  <Copyable key={name} what={name}>
                    {told(value)}
                  </Copyable>
                ),
                'Shown when it is made',
              ])}
            />
          )}
          <Meanings words={[...values.map(({ name }) => name), lines ?? '']} />
          {kind?.note && <p className={styles.note}>{kind.note}</p>}
          {stopsForms(gateway, kind) && (
            <Notice>
              Your portal is on https. If the gateway takes sign-ins on http, browsers stop its form with a full-page
              warning: choose GET for them under Details.
            </Notice>
          )}
          {portal_url === null && (
            <Notice>
              The property has no portal yet, so there is no page to send guests to. Choose one for it, then come back.
            </Notice>
          )}
          {lines?.includes(secret_place) && (
            <Notice>
              Replace {secret_place} with the secret.{' '}
              {mayMake ? 'If nobody has it, make a new one.' : 'If nobody has it, an editor can make a new one.'}
            </Notice>
          )}
        </div>
      </Panel>
      {captive_line !== null && <TellPhones line={captive_line} />}
    </>
  )
}

/** Of words that stand in what is pasted, for people to whom gateways are new. */
const meanings: [word: RegExp, title: string, meaning: string][] = [
  [
    /NAS identifier|nas-?id/i,
    'NAS identifier',
    'the name that the gateway gives in its requests, so that Foyer knows which one it is',
  ],
  [
    /Allowed before sign-in|walled.?garden/i,
    'Walled garden',
    'what guests may open before they have signed in: the portal',
  ],
  [/Interim/i, 'Interim accounting', 'how often the gateway reports what each guest has used'],
]

function Meanings({ words }: { words: readonly string[] }) {
  const shown = meanings.filter(([word]) => words.some((text) => word.test(text)))
  return (
    shown.length > 0 && (
      <ul className={styles.meanings}>
        {shown.map(([, title, meaning]) => (
          <li key={title}>
            <b>{title}</b>: {meaning}.
          </li>
        ))}
      </ul>
    )
  )
}

/** Only shown if the portal is on https and has seen guests of this gateway lately, as phones would get a wrong answer otherwise. */
const TellPhones = ({ line }: { line: string }) => (
  <Panel title="Tell phones by DHCP" actions={<CopyButton value={line}>Copy the line</CopyButton>}>
    <div className={styles.told}>
      <p>
        Modern phones ask this address whether they are online and how much is left, instead of guessing. Announce it as
        DHCP option 114 on the guest network of this gateway.
      </p>
      <pre className={styles.lines} role="region" aria-label="Line for DHCP" translate="no">
        {line}
      </pre>
    </div>
  </Panel>
)
