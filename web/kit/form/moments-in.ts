// Moments in: the time zone in which the moments of a form are typed, where that is the zone of a place that the form chooses.
import { useEffect } from 'react'
import { zoneHere, zoneName } from '#web/kit/display/time-zones.ts'
import { say } from '#web/words/frame.ts'
import { localOf, momentOf } from './moment-field.tsx'
import { useTypedState } from './typed.ts'
import type { Schema } from './form-state.ts'
import type { Form, NameIn } from './use-form.ts'

/**
 * The zone, and the hint for fields where it is not the browser's. When another place is chosen, the time that was typed stays and
 * becomes another moment.
 * @param names of fields that are new; what is stored is a moment, and shown in the zone
 * @param zone undefined while it is loading
 */
export function useMomentsIn<S extends Schema>(form: Form<S>, names: readonly NameIn<S>[], zone: string | undefined) {
  // Kept with what was typed, which would become another moment otherwise.
  const [shown, show] = useTypedState('zone', zoneHere())
  useEffect(() => {
    if (zone === undefined || zone === shown) return
    for (const name of names) {
      const local = localOf(form.values[name], shown)
      if (local !== '') form.set(name, momentOf(local, zone))
    }
    show(zone)
  })
  return { zone: shown, hint: shown === zoneHere() ? undefined : say('in-time-of', { zone: zoneName(shown) }) }
}
