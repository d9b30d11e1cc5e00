// Columns: which of a list's columns stand in the room there is, how wide, and which give way. Arithmetic alone, so that
// every width can be tested.

/** What a column says of its place. The first of a list is the name: it stays, whatever its priority. */
export interface Placed {
  title: string
  /** The least it needs, in pixels. */
  width: number
  /** What most of its entries take, in pixels: what is left over goes there first. */
  usual?: number
  /** Its share of what is left over then; without one it keeps its width. */
  grow?: number
  /** 1 gives way last. */
  priority: number
  /** Stands there only where someone has chosen it. */
  extra?: boolean
}

export interface Fitted<C extends Placed> {
  shown: { column: C; width_px: number }[]
  /** Wanted, but without room: what would have stayed longest comes first. */
  hidden: C[]
}

/** The name is never narrower, whatever else must go. */
export const name_px_min = 120

/** A name's `usual` where the list does not say it. */
const name_usual_px = 220

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

/** Whole pixels in proportion to the shares, together never more than `px`. */
function shared(px: number, shares: readonly number[]): number[] {
  const sum = sumOf(shares)
  return shares.map((share) => (sum > 0 ? Math.floor((px * share) / sum) : 0))
}
