// Integrations: a customer's connections to other companies' systems, with their settings, states and remedies.
import { useQuery } from '@tanstack/react-query'
import * as accounting from '#contract/accounting-integrations.ts'
import * as connections from '#contract/connections.ts'
import * as webhooks from '#contract/webhooks.ts'
import { useState } from 'react'
import { sentenceOf } from '#web/kit/call/call.ts'
import { forgetLists } from '#web/kit/call/query-client.ts'
import { useOAuthReturn, type Authorization } from '#web/kit/dialog/oauth-return.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMay, useMayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Section } from '#web/ui/page.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { ConnectionCard } from './connection-card.tsx'
import styles from './integrations.module.css'
import { kinds, leaveFor, type Kind, type Provider } from './kind.ts'

/** The state begins with the kind of connection, followed by a dot. */
async function finish(authorization: Authorization) {
  const kind = kinds.find(({ of }) => authorization.state.startsWith(`${of.name}.`)) ?? kinds[0]
  const { name } = await kind.of.create(authorization)
  forgetLists(accounting.list.path)
  return { name }
}

export function Integrations() {
  const { user } = useSession()
  const at = user && to.userProfile(user.id, 'integrations')
  const { finishing, problem, finished } = useOAuthReturn(at ?? undefined, finish)
  if (finishing) return <Notice>Connecting. This takes a moment.</Notice>
  return (
    <>
      {problem !== undefined && (
        <div className={styles.notice}>
          <Notice tone="error">{problem}</Notice>
        </div>
      )}
      {kinds.map(({ of, list }) => (
        <OneKind key={`${of.name} ${finished}`} of={of} list={list} />
      ))}
      <AllConnections />
      <OwnPrograms />
    </>
  )
}

function AllConnections() {
  const mayList = useMayCall(connections.list)
  if (!mayList) return null
  return (
    <Section title="All connections" hint="Everything that is connected, also at single properties, with its status.">
      <div>
        <LinkButton href={to.connections()}>Open connections</LinkButton>
      </div>
    </Section>
  )
}

/** Groups and properties have no other connections, so the company section of their profile shows it. */
export function OwnPrograms() {
  const mayList = useMayCall(webhooks.list)
  if (!mayList) return null
  return (
    <Section title="Webhooks" hint="Tell your own programs what happens here, as it happens.">
      <div>
        <LinkButton href={to.webhooks()}>Open webhooks</LinkButton>
      </div>
    </Section>
  )
}

function OneKind({ of, list }: (typeof kinds)[number]) {
  const { data, error, refetch } = useQuery({ queryKey: ['integrations', of.name], queryFn: list, staleTime: 0 })
  const mayWrite = useMay(`${of.name}_integrations`)
  return (
    <Section title={of.title} hint={of.hint}>
      {error && !data && <LoadFailed error={error} again={() => void refetch()} />}
      {!data && !error && <Skeleton height={96} label="Loading" />}
      {data?.meta.left?.map((one) => (
        <Notice key={`${one.name} ${one.audience}`}>
          {one.erasures === 1 ? 'One guest who was' : `${one.erasures} guests who were`} erased here may still be in “
          {one.audience}” of {one.name}. Connect that audience again to have them erased there, too.
        </Notice>
      ))}
      {data?.meta.providers.map((provider) => {
        const own = data.meta.integrations.filter((one) => one.integration_type === provider.integration_type)
        return (
          <div key={provider.integration_type} className={styles.provider}>
            {own.map((connection) => (
              <ConnectionCard
                key={connection.id}
                of={of}
                provider={provider}
                connection={connection}
                mayWrite={mayWrite}
                onChanged={() => void refetch()}
              />
            ))}
            <Connect of={of} provider={provider} another={own.length > 0} mayWrite={mayWrite} />
          </div>
        )
      })}
    </Section>
  )
}

interface ConnectProps {
  of: Kind
  provider: Provider
  another: boolean
  mayWrite: boolean
}
function Connect({ of, provider, another, mayWrite }: ConnectProps) {
  const [leaving, setLeaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { name, available, integration_type } = provider
  if (!available && another) return null
  if (!available) return <p className={styles.lead}>{name} is not set up here. Ask whoever runs this installation.</p>
  if (!mayWrite) return another ? null : <p className={styles.lead}>{name} is not connected. Editors connect it.</p>
  const leave = () => {
    setLeaving(true)
    setProblem(undefined)
    leaveFor(of.authorize, { integration_type }).catch((error: unknown) => {
      setLeaving(false)
      setProblem(sentenceOf(error))
    })
  }
  return (
    <div className={styles.connect}>
      {!another && <p className={styles.lead}>You allow it at {name}, and come back here.</p>}
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      <div>
        <Button kind={another ? 'quiet' : 'primary'} busy={leaving} onClick={leave}>
          {another ? `Connect another ${name}` : `Connect ${name}`}
        </Button>
      </div>
    </div>
  )
}
