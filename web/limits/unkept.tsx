// Unkept: below a package that is chosen for a property, what its gateways do not keep to of it, before it is saved.
import { useQuery } from '@tanstack/react-query'
import * as packages from '#contract/packages.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { appContext } from '#web/session/context.ts'
import { Notice } from '#web/ui/state.tsx'
import { limitsAt, unkept, type Where } from './kept.ts'

/** @param where null: no property is chosen yet, unless it is one's own */
export function Unkept({ package_id, where }: { package_id: unknown; where: Where | null }) {
  const id = Number(package_id)
  const at = where ?? (appContext() === 'property' ? {} : null)
  const isAsked = id > 0 && at !== null
  const kept = useQuery({ ...limitsAt(at ?? {}), enabled: isAsked })
  const pack = useQuery({
    queryKey: keys.one(packages.get.path, id),
    queryFn: ({ signal }) => call(packages.get, { id }, { signal }),
    enabled: isAsked && (kept.data?.length ?? 0) > 0,
  })
  const sentences = isAsked && kept.data && pack.data ? unkept(kept.data, pack.data) : []
  if (sentences.length === 0) return null
  return (
    <Notice>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  )
}

/** Of the property that a form has chosen, or of its group. */
export function whereIn(values: Readonly<Record<string, unknown>>): Where | null {
  const property_id = Number(values['property_id'])
  const group_id = Number(values['group_id'])
  return property_id > 0 ? { property_ids: [property_id] } : group_id > 0 ? { group_id } : null
}
