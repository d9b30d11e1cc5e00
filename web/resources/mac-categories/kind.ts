// MAC category kind: the name of a category and the address of its page. Categories are disabled in their form, and never deleted.
import type { RowOf } from '#contract/endpoint.ts'
import * as macCategories from '#contract/mac-categories.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'

export const macCategoryKind: RecordKind<RowOf<typeof macCategories.list>> = {
  of: { list: macCategories.list, fields: macCategories.fields },
  noun: 'MAC categories',
  nameOf: (category) => category.name,
  href: (category) => to.macCategory(category.id),
  consequence: '',
}
