// Collection properties: a dialog with an address. `?modal=collection-properties&collection_id=7` lists the properties of a
// collection and adds to them; with `group_id` it offers that group's properties; with `property_id` alone it adds that
// property to collections.
import * as collections from '#contract/collections.ts'
import { constants } from '#contract/constants.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as properties from '#contract/properties.ts'
import { call } from '#web/kit/call/call.ts'
import { confirmRemoval } from '#web/kit/dialog/confirm.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { MemberPicker } from '#web/kit/members/member-picker.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { showCollection } from './show-collection.ts'
import { WhichCollection } from './which-collection.tsx'

export interface CollectionPropertiesProps {
  collection_id?: number
  group_id?: number
  property_id?: number
  close: () => void
}

export function CollectionProperties({ collection_id, group_id, property_id, close }: CollectionPropertiesProps) {
  if (collection_id !== undefined) return <OfCollection id={collection_id} {...{ group_id, close }} />
  if (property_id !== undefined) return <OfProperty id={property_id} close={close} />
  return (
    <WhichCollection
      of="collection-properties"
      title="Add properties to a collection"
      hint={group_id ? 'Next you choose from the properties of this group.' : 'Next you choose the properties.'}
      group_id={group_id}
      close={close}
    />
  )
}

const width = constants.widths.collection_max_px
const { propertyAdded, propertyFailed, propertyRemoved } = messages.collections
type Property = RowOf<typeof properties.list>
const placeOf = (property: Property) => [property.city, property.group?.name].filter(Boolean).join(' · ')

function OfCollection({ id, group_id, close }: { id: number; group_id: number | undefined; close: () => void }) {
  const collection = useRecord(collections, id)
  const mayChange = useMayCall(collections.addProperties)
  const name = collection?.name ?? 'this collection'
  const remove = async (property: Property) => {
    if (!(await confirmRemoval(`Remove “${property.name}” from ${name}?`, 'The property itself is not changed.')))
      return false
    showCollection(await call(collections.removeProperty, { id, property_id: property.id }))
  }
  return (
    <Dialog
      open
      onClose={close}
      title={collection ? `Properties of ${collection.name}` : 'Properties'}
      width={width}
      wholeOnPhones
    >
      <MemberPicker
        of={properties.list}
        below={placeOf}
        inside={{ title: 'In this collection', params: { collection_id: id }, empty: 'No properties yet.' }}
        outside={{
          title: 'Add properties',
          params: { collection_id: id, ...(group_id ? { group_id } : {}) },
          shouldExclude: true,
          empty: 'Every property that can be added is already in it.',
        }}
        add={
          mayChange
            ? {
                label: 'Add',
                icon: 'add',
                run: async (property) =>
                  showCollection(await call(collections.addProperties, { id, property_ids: [property.id] })),
                done: propertyAdded,
                failed: propertyFailed,
              }
            : undefined
        }
        remove={
          mayChange ? { label: messages.team.remove, icon: 'close', run: remove, done: propertyRemoved } : undefined
        }
      />
    </Dialog>
  )
}

function OfProperty({ id, close }: { id: number; close: () => void }) {
  const property = useRecord(properties, id)
  const mayChange = useMayCall(collections.addProperties)
  const name = property?.name ?? 'this property'
  const remove = async (collection: RowOf<typeof collections.list>) => {
    if (!(await confirmRemoval(`Remove “${name}” from ${collection.name}?`, 'The property itself is not changed.')))
      return false
    showCollection(await call(collections.removeProperty, { id: collection.id, property_id: id }))
  }
  return (
    <Dialog
      open
      onClose={close}
      title={property ? `Collections of ${property.name}` : 'Collections'}
      width={width}
      wholeOnPhones
    >
      <MemberPicker
        of={collections.list}
        below={(collection) => collection.properties_string || 'No properties yet'}
        inside={{ title: 'It is in', params: { property_id: id }, empty: 'It is in no collection yet.' }}
        outside={{
          title: 'Add it to',
          params: { property_id: id },
          shouldExclude: true,
          empty: 'There is no other collection that could hold it.',
        }}
        add={
          mayChange
            ? {
                label: 'Add',
                icon: 'add',
                run: async (collection) =>
                  showCollection(await call(collections.addProperties, { id: collection.id, property_ids: [id] })),
                done: propertyAdded,
                failed: propertyFailed,
              }
            : undefined
        }
        remove={
          mayChange ? { label: messages.team.remove, icon: 'close', run: remove, done: propertyRemoved } : undefined
        }
      />
    </Dialog>
  )
}
