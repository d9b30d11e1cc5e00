// Collection created: what to do next with a new collection.
import * as collections from '#contract/collections.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { WhatNext } from '#web/kit/made/what-next.tsx'
import { to, withModal } from '#web/paths.ts'

export function CollectionCreated({ id }: { id: number }) {
  const collection = useRecord(collections, id)
  const below = to.collectionCreated(id)
  return (
    <WhatNext
      title={collection?.name}
      list={{ title: 'Collections', href: to.collections(), all: 'All collections' }}
      another={{ href: to.newCollection(), call: collections.create }}
      said="The collection is ready."
      next={[
        {
          icon: 'properties',
          title: 'Properties',
          text: collection?.properties_string || 'None yet. Add those that belong together.',
          href: withModal(below, 'collection-properties', { collection_id: id }),
          call: collections.addProperties,
        },
        {
          icon: 'team',
          title: 'Team',
          text: collection?.teams_string || 'Nobody yet. Add the people who look after them.',
          href: withModal(below, 'collection-team', { collection_id: id }),
          call: collections.addTeamMembers,
        },
      ]}
      open={{ title: 'Open the collection', href: to.collection(id) }}
    />
  )
}
