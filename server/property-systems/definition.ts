// Definition: what people read and fill in about a kind of property system; the look-up and the form are drawn from it.
import type { z } from 'zod'
import type { Parameter } from '#contract/parameters.ts'
import type { PropertyInterfaceKind } from '#contract/property-interface-kinds.ts'

/** What is not said but seen: whether stays come from it, whether it posts, can be asked, and can be connected. */
export type PropertySystemDefinition = Omit<
  z.output<typeof PropertyInterfaceKind>,
  'served' | 'posts' | 'can_be_asked' | 'can_be_connected'
>

/** In a whole list, and in what is posted at once. */
export const stays_at_once_max = 20_000

/** How long guests stay online after the system has told that they left, unless the interface says. */
export const usual_grace_minutes = 60

export const graceParameter: Parameter = {
  key: 'grace_minutes',
  label: 'Minutes online after departure',
  kind: 'number',
  choices: [],
  required: false,
  once: false,
  help: `How long guests stay online after check-out. ${usual_grace_minutes} unless given; with 0 the Wi-Fi ends at once.`,
}

export const silenceParameter: Parameter = {
  key: 'silent_hours',
  label: 'May be silent for hours',
  kind: 'number',
  choices: [],
  required: false,
  once: false,
  help: 'After this long without an update, the interface is shown as behind. Leave it empty for a system that may be silent for days.',
}
