// Collection detail: one collection, its parts in tabs, and an overview of what is in it.
import * as activity from '#contract/activity.ts'
import * as collections from '#contract/collections.ts'
import type { Output } from '#contract/endpoint.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { here } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'
import { PropertiesList } from '#web/resources/properties/list.tsx'
import { UsersList } from '#web/resources/users/list.tsx'
import { CollectionForm } from './form.tsx'
import { collectionKind } from './kind.ts'

export function CollectionDetail({ id }: { id: number }) {
  const collection = useRecord(collections, id)
  const mayChange = useMayCall(collections.update)
  return (
    <DetailTabs
      of="Collection"
      name={collection?.name}
      status={collection?.status}
      back={{ title: 'Collections', href: to.collections() }}
      actions={(tab) => (
        <>
          {mayChange && tab !== 'properties' && (
            <LinkButton icon="properties" href={withModal(here(), 'collection-properties', { collection_id: id })}>
              Properties
            </LinkButton>
          )}
          {mayChange && tab !== 'users' && (
            <LinkButton icon="team" href={withModal(here(), 'collection-team', { collection_id: id })}>
              Team
            </LinkButton>
          )}
          <RecordActions kind={collectionKind} record={collection} back={to.collections()} />
        </>
      )}
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={collections} id={id}>
              {(record) => <CollectionOverview collection={record} />}
            </WhenLoaded>
          ),
        },
        details: { title: 'Details', body: () => <CollectionForm id={id} /> },
        properties: { title: 'Properties', body: () => <PropertiesList collection_id={id} /> },
        users: { title: 'Team', body: () => <UsersList collection_id={id} /> },
      }}
    />
  )
}

function CollectionOverview({ collection }: { collection: Output<typeof collections.get> }) {
  const mayChange = useMayCall(collections.update)
  const { id } = collection
  const where = { collection_id: id }
  const dialog = (name: 'collection-properties' | 'collection-team', title: string) => (
    <LinkButton href={withModal(here(), name, where)}>{title}</LinkButton>
  )
  return (
    <Overview
      log={{ of: activity.list, object_type: 'collections', object_id: id }}
      todo={[
        collection.draft && { title: 'This collection is a draft', text: 'Activate it once it is complete.' },
        !collection.draft && !collection.active && { title: 'This collection is disabled' },
        collection.number_of_properties === 0 && {
          title: 'No properties',
          text: 'A collection holds properties that belong together.',
          action: mayChange && dialog('collection-properties', 'Add properties'),
        },
        collection.number_of_users === 0 && {
          title: 'No team',
          text: 'Nobody is named as looking after these properties.',
          action: mayChange && dialog('collection-team', 'Add people'),
        },
      ]}
      counts={[
        { title: 'Properties', of: properties.list, where, href: to.collection(id, 'properties') },
        { title: 'Team', of: users.list, where, href: to.collection(id, 'users') },
      ]}
    >
      <Panel title="Collection">
        <FieldFacts
          fields={collections.fields}
          of={collection}
          first={[
            ['properties_string', [collection.properties_string, 'None yet']],
            ['teams_string', [collection.teams_string, 'Nobody yet']],
          ]}
          sections={['collection']}
          own={{
            name: null,
            ...(appContext() === 'customer' ? {} : { group_id: null }),
          }}
          last={[['created_at']]}
        />
      </Panel>
    </Overview>
  )
}
