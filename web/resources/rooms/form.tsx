// Room form: one room's number, its package and whether it is in use.
import * as packages from '#contract/packages.ts'
import * as rooms from '#contract/rooms.ts'
import { Field } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Row, Section } from '#web/ui/page.tsx'
import { roomStatus } from './status.ts'

/** A room stays in its property. Many are made by a form of their own. */
const RoomChanges = rooms.RoomInput.omit({ property_id: true })
const { list, get, update } = rooms
const contract = { list, get, update }

export function RoomForm({ id, back }: { id: number; back: string }) {
  const form = useResource(contract, RoomChanges, id)
  return (
    <ResourceForm form={form} noun="room" back={back}>
      <Section title="Room" hint="As it stands on the door.">
        <Row>
          <Field form={form} name="number" label="Number" hint="One of a kind within the property." />
          <Field form={form} name="external_reference" label="Reference" hint="What your own system calls it." />
        </Row>
      </Section>
      <Section title="Service" hint="For guests without a package of their own.">
        <Row>
          <Lookup
            form={form}
            name="package_id"
            label="Package"
            from={packages.names}
            placeholder="The property's package"
            only={(row) => row.status === 'active'}
          />
        </Row>
      </Section>
      <Section title="Status">
        <StatusField form={form} means={roomStatus} />
      </Section>
    </ResourceForm>
  )
}
