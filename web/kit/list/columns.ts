// Columns: which of a list's columns stand in the room there is, how wide, and which give way. Arithmetic alone, so that
// every width can be tested.

/** What a column says of its place. The first of a list is the name: it stays, whatever its priority. */
export interface Placed {
  title: string
  /** The least it needs, in pixels. */
  width: number
  /** Its share of what is left over; without one it keeps its least. */
  grow?: number
  /** 1 gives way last. */
  priority: number
  /** Stands there only where someone has chosen it. */
  extra?: boolean
}

export interface Fitted<C extends Placed> {
  shown: { column: C; width_px: number }[]
  /** Wanted, but without room. */
  hidden: C[]
}

/** The name is never narrower, whatever else must go. */
export const name_px_min = 120

/** The titles that a list shows until someone chooses. */
export const usualTitles = (columns: readonly Placed[]): string[] =>
  columns.filter((column) => !column.extra).map((column) => column.title)

/** @param room_px what the columns share: the list's width less its ticks and menus. */
export function fitColumns<C extends Placed>(
  columns: readonly C[],
  room_px: number,
  chosen: readonly string[] = usualTitles(columns),
): Fitted<C> {
  const [name, ...others] = columns
  if (!name) return { shown: [], hidden: [] }
  const wanted = others.filter((column) => chosen.includes(column.title))
  let taken_px = Math.max(name.width, name_px_min)
  const fitting = new Set<C>()
  // Strictly in order: were a narrow one to pass a wide one, columns would come and go while a window is drawn wider.
  for (const column of wanted.toSorted((a, b) => a.priority - b.priority)) {
    if (taken_px + column.width > room_px) break
    taken_px += column.width
    fitting.add(column)
  }
  const kept = [name, ...wanted.filter((column) => fitting.has(column))]
  const shares = (column: C) => column.grow ?? (column === name ? 2 : 0)
  const all_shares = kept.reduce((sum, column) => sum + shares(column), 0)
  const left_px = Math.max(0, room_px - taken_px)
  const widths = kept.map((column) => {
    const least_px = column === name ? Math.max(column.width, name_px_min) : column.width
    return least_px + (all_shares > 0 ? Math.floor((left_px * shares(column)) / all_shares) : 0)
  })
  return {
    shown: kept.map((column, index) => ({ column, width_px: widths[index] ?? column.width })),
    hidden: wanted.filter((column) => !fitting.has(column)),
  }
}
