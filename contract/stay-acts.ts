// Stay acts: what the desk does to a stay, recognised in its line of the log, so that the log and the desk call it by the same words.

/** In words, as what somebody did. */
export const stayActs = {
  check_in: 'checked in',
  check_out: 'checked out',
  move: 'moved',
  extend: 'changed the departure of',
  no_show: 'noted the no-show of',
} as const
export type StayAct = keyof typeof stayActs

/** The same as a thing that can be taken back. */
export const stayActNames: Record<StayAct, string> = {
  check_in: 'check-in',
  check_out: 'check-out',
  move: 'move',
  extend: 'new departure',
  no_show: 'no-show',
}

/** How long the desk offers to take an act back. */
export const undo_s = 30

interface Line {
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Null: none of them, such as another name, or an act taken back. */
export function stayActIn({ action, after }: Line): StayAct | null {
  if (after && 'undone' in after) return null
  if (action === 'delete') return after?.['no_show'] === true ? 'no_show' : 'check_out'
  if (after === null || (action !== 'create' && action !== 'update')) return null
  // `checked_in` is what the log said before it kept when.
  if (after['checked_in_at'] != null || after['checked_in'] === true) return 'check_in'
  if (action === 'create') return null
  if ('room_id' in after) return 'move'
  return 'departs_on' in after ? 'extend' : null
}

/** The act that a line takes back. */
export function undoneIn({ after }: Line): StayAct | null {
  const undone = after?.['undone']
  return typeof undone === 'string' && Object.hasOwn(stayActs, undone) ? (undone as StayAct) : null
}

/** “checked in”, “took back the move of”; undefined where the log's own words say it. */
export function stayVerb(line: Line): string | undefined {
  const [act, undone] = [stayActIn(line), undoneIn(line)]
  return undone !== null ? `undid the ${stayActNames[undone]} of` : act !== null ? stayActs[act] : undefined
}
