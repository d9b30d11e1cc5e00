// Connection card: one connection with its state and remedies, the settings that its provider asks for, and disconnecting.
import { useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { callKind } from '#web/kit/call/call.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import { Select } from '#web/ui/select.tsx'
import { Notice } from '#web/ui/state.tsx'
import { AudienceMembers } from './audience-members.tsx'
import { leaveFor, type Connection, type Kind, type Provider } from './kind.ts'
import styles from './integrations.module.css'

interface CardProps {
  of: Kind
  provider: Provider
  connection: Connection
  mayWrite: boolean
  onChanged: () => void
}
type Parameter = Provider['parameters'][number]

const states: Record<Connection['state'], { tone: Tone; word: string }> = {
  connected: { tone: 'good', word: 'Connected' },
  choose: { tone: 'waiting', word: 'Not finished' },
  reconnect: { tone: 'wrong', word: 'Reconnect' },
  failing: { tone: 'waiting', word: 'Tried again' },
}

/** The field of the connection with the name that its provider uses. */
const fieldOf = (connection: Connection, name: string): unknown => new Map(Object.entries(connection)).get(name)
const choicesOf = (connection: Connection, { choices_in, options }: Parameter) =>
  choices_in === null ? options : (fieldOf(connection, choices_in) as { id: string; name: string }[])

export function ConnectionCard({ of, provider, connection, mayWrite, onChanged }: CardProps) {
  const [busy, setBusy] = useState(false)
  const { id, state, last_error, last_synced_at, integration_type } = connection
  const name = connection.name ?? provider.name
  const { tone, word } = states[state]
  /** Returns whether it succeeded. */
  const send = async (endpoint: Endpoint, input: object): Promise<boolean> => {
    setBusy(true)
    try {
      await callKind(endpoint, { id, ...input })
      return true
    } catch (error) {
      notify.failure(error)
      return false
    } finally {
      setBusy(false)
      onChanged()
    }
  }
  const disconnect = async () => {
    const sure = await confirm({
      title: `Disconnect ${name}?`,
      description: of.whenLeft(connection),
      accept: 'Disconnect',
      danger: true,
    })
    if (sure && (await send(of.remove, {}))) notify.success(`${name} is disconnected`)
  }
  const reconnect = () => {
    setBusy(true)
    leaveFor(of.authorize, { integration_type, id }).catch((error: unknown) => {
      setBusy(false)
      notify.failure(error)
    })
  }
  return (
    <article className={styles.card} aria-label={name}>
      <header>
        <h3>{name}</h3>
        <Badge tone={tone}>{word}</Badge>
        <span className={styles.synced}>
          {[provider.name, last_synced_at && `up to date ${timeOf(last_synced_at)}`].filter(Boolean).join(' · ')}
        </span>
      </header>
      {last_error !== null && <Notice tone={state === 'reconnect' ? 'error' : 'info'}>{last_error}</Notice>}
      {provider.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          connection={connection}
          locked={!mayWrite || state === 'reconnect'}
          busy={busy}
          onChange={async (chosen) => {
            if (await send(of.update, { [parameter.name]: chosen })) notify.success('Saved')
          }}
        />
      ))}
      {'members' in connection && (
        <AudienceMembers id={id} members={connection.members} needsReconnect={state === 'reconnect'} />
      )}
      {mayWrite && (
        <footer>
          {(state === 'reconnect' || state === 'failing') && (
            <Button kind={state === 'reconnect' ? 'primary' : 'plain'} busy={busy} onClick={reconnect}>
              Reconnect
            </Button>
          )}
          <Button disabled={busy} onClick={() => void disconnect()}>
            Disconnect
          </Button>
        </footer>
      )}
    </article>
  )
}

interface ParameterProps {
  parameter: Parameter
  connection: Connection
  locked: boolean
  busy: boolean
  onChange: (chosen: string | null) => Promise<void>
}
function ParameterField({ parameter, connection, locked, busy, onChange }: ParameterProps) {
  const { name, label, help, required, once } = parameter
  const value = fieldOf(connection, name)
  const chosen = typeof value === 'string' ? value : null
  const choices = choicesOf(connection, parameter)
  if (locked || (once && chosen !== null && connection.state !== 'choose'))
    return <FieldFact label={label}>{choices.find(({ id }) => id === chosen)?.name ?? chosen}</FieldFact>
  return (
    <Select
      label={label}
      name={name}
      hint={help}
      options={choices.map(({ id, name: words }) => ({ value: id, label: words }))}
      value={chosen}
      placeholder={required ? 'Please choose' : 'Left empty'}
      clearable={!required}
      disabled={busy}
      onChange={(next) => {
        if (next !== chosen) void onChange(next)
      }}
    />
  )
}
