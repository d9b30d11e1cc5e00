// Connection form: the name, the settings and the status of a connection that is kept here. A secret is entered, and never shown.
import * as connections from '#contract/connections.ts'
import type { Output } from '#contract/endpoint.ts'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { ConnectionStatus, schemaOf, SettingFields } from './fields.tsx'
import { useKinds } from './kinds.ts'

export function ConnectionForm({ one, back }: { one: Output<typeof connections.get>; back: string }) {
  const provider = useKinds().providerOf(one)
  const form = useResource(connections, () => schemaOf(provider, one.settings_set), one.id)
  return (
    <ResourceForm form={form} noun="connection" back={back}>
      <SettingFields form={form} provider={provider} secretsSet={one.settings_set} />
      <ConnectionStatus form={form} />
    </ResourceForm>
  )
}
