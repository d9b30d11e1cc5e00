// Connection screens: the page of a connection that is kept here, drawn from its company's definition; those of kinds with screens of
// their own open there; and the page for a new one.
import * as activity from '#contract/activity.ts'
import * as connections from '#contract/connections.ts'
import type { Output } from '#contract/endpoint.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import { NewConnection } from './create.tsx'
import { settingFacts } from './fields.tsx'
import { ConnectionForm } from './form.tsx'
import { connectionKind, leaveFor, ownAddress, tryNow } from './kind.ts'
import { useKinds } from './kinds.ts'
import { ownerIn, StateBadge } from './list.tsx'
import { troubleOf } from './words.ts'

type Connection = Output<typeof connections.get>

export const ConnectionScreen = ({ id }: { id?: number }) =>
  id === undefined ? <NewConnection /> : <ConnectionDetail id={id} />

function ConnectionDetail({ id }: { id: number }) {
  const one = useRecord(connections, id)
  const back = to.connections()
  const isHere = one !== undefined && one.own_id === null
  return (
    <DetailTabs
      of="Connection"
      name={one?.name}
      status={one?.status}
      back={{ title: 'Connections', href: back }}
      actions={
        isHere && (
          <>
            <TryNow one={one} />
            <RecordActions kind={connectionKind} record={one} back={back} />
          </>
        )
      }
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={connections} id={id}>
              {(record) => <ConnectionOverview one={record} />}
            </WhenLoaded>
          ),
        },
        ...(isHere && {
          details: { title: 'Details', body: () => <ConnectionForm one={one} back={back} /> },
        }),
      }}
    />
  )
}

function TryNow({ one }: { one: Connection }) {
  const may = useMayCall(connections.tryNow)
  const isTried = one.active && one.connected_at !== null
  return (
    may &&
    isTried && (
      <Button icon="refresh" onClick={() => void tryNow(one).catch(notify.failure)}>
        Try now
      </Button>
    )
  )
}

function ConnectionOverview({ one }: { one: Connection }) {
  const { providerOf, systemOf } = useKinds()
  const provider = providerOf(one)
  const elsewhere = ownAddress(one)
  return (
    <Overview
      log={{ of: activity.list, object_type: 'connections', object_id: one.id }}
      todo={[
        one.state !== 'connected' && {
          title: one.connected_at === null ? 'Consent is missing' : 'This connection needs attention',
          text: troubleOf(one),
          action: elsewhere === undefined && <Remedy one={one} />,
        },
      ]}
    >
      <Panel
        title="Connection"
        actions={elsewhere !== undefined && <LinkButton href={elsewhere}>Open its settings</LinkButton>}
      >
        <Facts
          facts={[
            ['System', systemOf(one)],
            ['Belongs to', ownerIn(one)],
            ['State', <StateBadge key="state" {...one} />],
            ['Last success', one.last_synced_at && recentTimeOf(one.last_synced_at), 'Never'],
            ['Connected since', one.connected_at && recentTimeOf(one.connected_at), 'Not connected yet'],
            ['Created', recentTimeOf(one.created_at)],
          ]}
        />
      </Panel>
      {provider && provider.parameters.length > 0 && (
        <Panel title="Settings">
          <Facts facts={settingFacts(provider.parameters, one.settings, (key) => one.settings_set.includes(key))} />
        </Panel>
      )}
    </Overview>
  )
}

/** What a person does about it. What fails for now is tried again by itself. */
function Remedy({ one }: { one: Connection }) {
  const may = useMayCall(connections.update)
  const provider = useKinds().providerOf(one)
  if (!may || one.state !== 'reconnect' || !provider) return null
  if (provider.connected_by === 'key')
    return <LinkButton href={to.connection(one.id, 'details')}>Enter another key</LinkButton>
  return (
    <Button kind="primary" onClick={() => void leaveFor(one).catch(notify.failure)}>
      {one.connected_at === null ? `Connect ${provider.name}` : `Connect ${provider.name} again`}
    </Button>
  )
}
