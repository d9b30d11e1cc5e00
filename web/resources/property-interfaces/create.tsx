// New property interface: a wizard, for the property, group or package in the address, or for any.
import * as interfaces from '#contract/property-interfaces.ts'
import type { OwnerType } from '#contract/shapes.ts'
import { useSettingsOfKind } from '#web/kit/form/parameter-kind.ts'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { PageHeader } from '#web/ui/page.tsx'
import {
  ConnectionFields,
  GuestFields,
  InterfaceStatus,
  KindFields,
  OwnerFields,
  schemaFor,
  stepFields,
} from './fields.tsx'
import { useKinds } from './kinds.ts'
import type { InterfacesOf } from './list.tsx'

export function NewPropertyInterface(of: InterfacesOf) {
  const back = to.propertyInterfacesOf(of)
  return (
    <>
      <PageHeader title="New property interface" above={<Link href={back}>Property interfaces</Link>} />
      <Permitted to={interfaces.create} back={back} icon="integrations">
        <InterfaceWizard of={of} back={back} />
      </Permitted>
    </>
  )
}

const ownerOf = ({
  property_id,
  group_id,
  package_id,
}: InterfacesOf): { owner_type: OwnerType; owner_id: number | null } => {
  if (property_id) return { owner_type: 'Property', owner_id: property_id }
  if (group_id) return { owner_type: 'Group', owner_id: group_id }
  if (package_id) return { owner_type: 'Package', owner_id: package_id }
  // Still to be chosen. The field must exist, or it would not be validated.
  return { owner_type: appContext() === 'group' ? 'Group' : 'Property', owner_id: null }
}

function InterfaceWizard({ of, back }: { of: InterfacesOf; back: string }) {
  const owner = ownerOf(of)
  const kindOf = useKinds()
  const form = useResource(
    interfaces,
    (values: Record<string, unknown>) => schemaFor(values, kindOf(values['property_interface_type_id'])),
    undefined,
    owner,
  )
  const kind = kindOf(form.values['property_interface_type_id'])
  useSettingsOfKind(form, kind)
  return (
    <Wizard
      form={form}
      noun="property interface"
      back={back}
      done={({ id }) => to.propertyInterface(id)}
      steps={[
        {
          title: 'Interface',
          fields: stepFields.interface,
          body: (
            <>
              <KindFields form={form} />
              <OwnerFields form={form} locked={owner.owner_id !== null} />
            </>
          ),
        },
        {
          title: 'Connection',
          fields: [...stepFields.connection, ...(kind?.parameters ?? []).map(({ key }) => `settings.${key}`)],
          body: <ConnectionFields form={form} kind={kind} />,
        },
        {
          title: 'Guests',
          fields: stepFields.guests,
          body: (
            <>
              <GuestFields form={form} />
              <InterfaceStatus form={form} />
            </>
          ),
        },
      ]}
    />
  )
}
