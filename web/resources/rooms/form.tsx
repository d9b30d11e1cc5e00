// Room form: the number, package and status of one room.
import * as rooms from '#contract/rooms.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { useRecordState, useResource } from '#web/kit/form/use-resource.ts'
import { Unkept } from '#web/limits/unkept.tsx'
import { Section } from '#web/ui/page.tsx'
import { roomStatus } from './status.ts'

/** A room cannot change its property. New rooms have their own form. */
const RoomChanges = rooms.RoomInput.omit({ property_id: true })
const { list, get, update, fields } = rooms
const contract = { list, get, update, fields }

export function RoomForm({ id, back }: { id: number; back: string }) {
  const { record } = useRecordState(rooms, id)
  const form = useResource(contract, RoomChanges, id)
  return (
    <ResourceForm form={form} noun="room" back={back}>
      <FieldSection
        form={form}
        fields={fields}
        section="room"
        title="Room"
        hint="As on the door."
        rows={[['number', 'external_reference']]}
        hints={{
          number: 'Must be unique within the property.',
          external_reference: 'Its number in your own system.',
        }}
      />
      <FieldSection
        form={form}
        fields={fields}
        section="service"
        title="Service"
        hint="For guests without a package of their own."
      >
        <Unkept package_id={form.values['package_id']} where={record ? { property_ids: [record.property_id] } : null} />
      </FieldSection>
      <Section title="Status">
        <StatusField form={form} means={roomStatus} />
      </Section>
    </ResourceForm>
  )
}
