// Owner field: what a new user or team belongs to: the whole customer, a group, or a property.
import { references } from '#web/kit/display/references.ts'
import type { OwnerType } from '#contract/shapes.ts'
import { isKnownEmpty, useOffered } from '#web/kit/call/options.ts'
import { appContext } from '#web/session/context.ts'
import { useSession } from '#web/session/session.ts'
import { Segments } from '#web/ui/segments.tsx'
import type { Schema } from './form-state.ts'
import { Lookup } from './lookup.tsx'
import type { Form, NameIn } from './use-form.ts'

/** Nobody can appoint users above their own level. */
const owners: Record<ReturnType<typeof appContext>, readonly OwnerType[]> = {
  customer: ['Customer', 'Group', 'Property'],
  group: ['Group', 'Property'],
  property: ['Property'],
}

export interface OwnerFieldProps<S extends Schema> {
  form: Form<S>
  /** The fields, such as `owner_type` and `owner_id`. */
  type: NameIn<S>
  id: NameIn<S>
  /** Called when another owner is chosen. */
  onChange?: () => void
}

export function OwnerField<S extends Schema>({ form, type, id, onChange }: OwnerFieldProps<S>) {
  const { user } = useSession()
  const own = user?.owner_type
  const hasNoGroups = isKnownEmpty(useOffered(references.groups.names))
  const offered = owners[appContext()].filter((each) => each !== 'Group' || own === 'Group' || !hasNoGroups)
  const chosen = form.values[type] ?? own
  const titles: Partial<Record<OwnerType, string>> = {
    Group: own === 'Group' ? user?.owner_name : 'A group',
    Property: 'A property',
    Customer: user?.customer.name,
  }
  return (
    <>
      {offered.length > 1 && (
        <Segments
          label="Belongs to"
          options={offered.map((each) => ({ value: each, label: titles[each] ?? each }))}
          value={String(chosen)}
          onChange={(next) => {
            form.set(type, next)
            form.set(id, null)
            onChange?.()
          }}
        />
      )}
      {chosen === 'Group' && own !== 'Group' && <Lookup form={form} name={id} label="Group" to="groups" />}
      {chosen === 'Property' && own !== 'Property' && <Lookup form={form} name={id} label="Property" to="properties" />}
    </>
  )
}
