// Package kind: what can be done with one package, in its row and on its page.
import type { RowOf } from '#contract/endpoint.ts'
import * as packages from '#contract/packages.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { whenOffAnywhere } from '#web/limits/when-off.tsx'
import { to } from '#web/paths.ts'

export const packageKind: RecordKind<RowOf<typeof packages.list>> = {
  of: packages,
  noun: 'packages',
  nameOf: (pack) => pack.name,
  href: (pack) => to.package(pack.id),
  besides: whenOffAnywhere,
  consequence: 'This cannot be undone. A package that is still in use cannot be deleted.',
}
