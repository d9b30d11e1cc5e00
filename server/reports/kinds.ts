// Report kinds: one line each.
import type { Scope } from '#server/access/tenancy.ts'
import { invalid } from '#server/errors/refused.ts'
import type { KindWord } from './asked.ts'
import { billing } from './billing/kind.ts'
import { freeWifi } from './free-wifi/kind.ts'
import type { ReportKind } from './kind.ts'
import { session } from './session/kind.ts'

export const kinds: Readonly<Record<KindWord, ReportKind>> = { session, free_wifi: freeWifi, billing }

/** Neither now nor by a schedule. */
export function refuseReserved(scope: Scope, kind: KindWord) {
  const { reserved } = kinds[kind]
  if (reserved && !reserved.isOpenTo(scope)) throw invalid({ kind: [reserved.asking] })
}
