// Columns: which of a list's columns are shown in the available width, how wide, and which are hidden. Pure functions, so that
// every width can be tested.

/** The layout of a column. The first of a list is the name: it is always shown, whatever its priority. */
export interface Placed {
  title: string
  /** The minimum width in pixels. */
  width: number
  /** The width in pixels that most of its entries need: remaining space goes there first. */
  usual?: number
  /** Its share of the space that remains after that; without one it does not grow. */
  grow?: number
  /** 1 is hidden last. */
  priority: number
  /** Shown only if the user has chosen it. */
  extra?: boolean
}

export interface Fitted<C extends Placed> {
  shown: { column: C; width_px: number }[]
  /** Chosen, but without room: the most important first. */
  hidden: C[]
}

/** The minimum width of the name, whatever else must be hidden. */
export const name_px_min = 120

/** The width that `yesterday, 12:59 PM` needs, the longest of what `recentTimeOf` writes: cut, it would lose half of the day. */
export const recent_px = 152
/** The width that `Nov 28, 2026, 12:59 PM` needs, as `timeOf` writes it. */
export const moment_px = 172

/** The default of a name's `usual`. */
const name_usual_px = 220

/** The titles that a list shows until the user chooses. */
export const defaultTitles = (columns: readonly Placed[]): string[] =>
  columns.filter((column) => !column.extra).map((column) => column.title)

/** @param room_px the width for the columns: the list's without its checkboxes and menus. */
export function fitColumns<C extends Placed>(
  columns: readonly C[],
  room_px: number,
  chosen: readonly string[] = defaultTitles(columns),
): Fitted<C> {
  const [name, ...others] = columns
  if (!name) return { shown: [], hidden: [] }
  const wanted = others.filter((column) => chosen.includes(column.title))
  let taken_px = Math.max(name.width, name_px_min)
  const fitting = new Set<C>()
  // Strictly by priority: if narrow ones could overtake wide ones, columns would appear and disappear while a window is widened.
  for (const column of wanted.toSorted((a, b) => a.priority - b.priority)) {
    if (taken_px + column.width > room_px) break
    taken_px += column.width
    fitting.add(column)
  }
  const kept = [name, ...wanted.filter((column) => fitting.has(column))]
  const least = kept.map((column) => (column === name ? Math.max(column.width, name_px_min) : column.width))
  const lacks = kept.map(({ usual = 0 }, index) => Math.max(0, usual - (least[index] ?? 0)))
  lacks[0] = Math.max(0, (name.usual ?? name_usual_px) - (least[0] ?? 0))
  const grows = kept.map((column) => column.grow ?? (column === name ? 2 : 0))
  const left_px = Math.max(0, room_px - taken_px)
  const lacking_px = Math.min(left_px, sumOf(lacks))
  const usual = shared(lacking_px, lacks)
  const more = shared(left_px - lacking_px, grows)
  return {
    shown: kept.map((column, index) => ({
      column,
      width_px: (least[index] ?? 0) + (usual[index] ?? 0) + (more[index] ?? 0),
    })),
    hidden: wanted.filter((column) => !fitting.has(column)).toSorted((a, b) => a.priority - b.priority),
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** Whole pixels in proportion to the shares, in total at most `px`. */
function shared(px: number, shares: readonly number[]): number[] {
  const sum = sumOf(shares)
  return shares.map((share) => (sum > 0 ? Math.floor((px * share) / sum) : 0))
}
