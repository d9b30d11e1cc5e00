// Member picker: the members of a set and what can be added to it, side by side. Each change is stored at once; both sides are
// pages of the same list. The focus moves to the next row, so that Enter adds one after another.
//
//   <MemberPicker of={properties.list} below={(property) => property.city}
//     inside={{ title: 'In the collection', params: { collection_id: 7 }, empty: 'Nothing yet.' }}
//     outside={{ title: 'Add properties', params: { collection_id: 7 }, shouldExclude: true, empty: 'All are in it.' }}
//     add={{ label: 'Add', run: (property) => call(…), done: messages.collections.propertyAdded, failed: … }} />
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { invalidateQuery, keys } from '#web/kit/call/query-client.ts'
import type { Row } from '#web/kit/list/list-types.ts'
import { MemberPane, type RowAction, type Side } from './member-pane.tsx'
import styles from './members.module.css'

export interface MemberPickerProps<E extends Endpoint> {
  of: E
  inside: Side
  outside: Side
  /** Small text below the name. */
  below: (row: Row<E>) => string | false | null | undefined
  /** Next to a member: what else can be changed about it. */
  beside?: (row: Row<E>) => ReactNode
  /** Absent for users who may not. */
  add?: RowAction<Row<E>> | undefined
  remove?: RowAction<Row<E>> | undefined
}

export function MemberPicker<E extends Endpoint>({
  of,
  inside,
  outside,
  below,
  beside,
  add,
  remove,
}: MemberPickerProps<E>) {
  // Reloads both sides, and the lists of the screen below.
  const reload = () => invalidateQuery(keys.list(of.path))
  return (
    <div className={add ? styles.picker : undefined}>
      <MemberPane of={of} side={inside} below={below} beside={beside} action={remove} onDone={reload} />
      {add && <MemberPane of={of} side={outside} below={below} action={add} onDone={reload} />}
    </div>
  )
}
