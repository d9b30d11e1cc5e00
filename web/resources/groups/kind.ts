// Group kind: what can be done with one group, in its row and on its page.
import type { RowOf } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'

export const groupKind: RecordKind<RowOf<typeof groups.list>> = {
  of: groups,
  noun: 'groups',
  nameOf: (group) => group.name,
  href: (group) => to.group(group.id),
  edit: (group) => to.group(group.id, 'details'),
  whenDisabled: 'Properties and users stay as they are.',
  consequence: 'This cannot be undone. A group that still has properties or users cannot be deleted.',
}
