// Collection kind: what can be done with one collection, in its row and on its page.
import * as collections from '#contract/collections.ts'
import type { RowOf } from '#contract/endpoint.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { here, linkItem } from '#web/kit/navigation/go.ts'
import { to, withModal } from '#web/paths.ts'

export const collectionKind: RecordKind<RowOf<typeof collections.list>> = {
  of: collections,
  noun: 'collections',
  nameOf: (collection) => collection.name,
  href: (collection) => to.collection(collection.id),
  edit: (collection) => to.collection(collection.id, 'details'),
  own: ({ id }) => [
    linkItem({
      label: 'Properties',
      icon: 'properties',
      href: withModal(here(), 'collection-properties', { collection_id: id }),
    }),
    linkItem({ label: 'Team', icon: 'team', href: withModal(here(), 'collection-team', { collection_id: id }) }),
  ],
  whenDisabled: 'Properties and people stay as they are.',
  consequence: (rows) =>
    rows.length === 1
      ? 'Its properties and its people stay as they are. This cannot be undone.'
      : 'Their properties and their people stay as they are. This cannot be undone.',
}
