// Member picker: what is in a set, and what can be put into it, side by side. One at a time and stored at once; both sides
// are pages of the same list. The focus goes on to the next row, so that Enter adds one after another.
//
//   <MemberPicker of={properties.list} below={(property) => property.city}
//     inside={{ title: 'In the collection', params: { collection_id: 7 }, empty: 'Nothing yet.' }}
//     outside={{ title: 'Add properties', params: { collection_id: 7 }, shouldExclude: true, empty: 'All are in it.' }}
//     add={{ label: 'Add', run: (property) => call(…), done: messages.collections.propertyAdded, failed: … }} />
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { askAgain, keys } from '#web/kit/call/query-client.ts'
import type { Row } from '#web/kit/list/list-types.ts'
import { MemberPane, type Doing, type Side } from './member-pane.tsx'
import styles from './members.module.css'

export interface MemberPickerProps<E extends Endpoint> {
  of: E
  inside: Side
  outside: Side
  /** Stands small under the name. */
  below: (row: Row<E>) => string | false | null | undefined
  /** Stands beside a row that is in: what else can be changed of it. */
  beside?: (row: Row<E>) => ReactNode
  /** Absent for those who may not. */
  add?: Doing<Row<E>> | undefined
  remove?: Doing<Row<E>> | undefined
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
  // Both sides, and the lists of the screen below, as they are now.
  const reload = () => askAgain(keys.list(of.path))
  return (
    <div className={add ? styles.picker : undefined}>
      <MemberPane of={of} side={inside} below={below} beside={beside} doing={remove} onDone={reload} />
      {add && <MemberPane of={of} side={outside} below={below} doing={add} onDone={reload} />}
    </div>
  )
}
