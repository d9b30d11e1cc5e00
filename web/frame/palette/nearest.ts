// Nearest: what the palette shows of a kind, best first. The server finds by address, phone and room as well, newest first;
// who types a name means the name, and Enter takes the first.
import { plain } from '#web/ui/match-text.ts'

/** At most `rows_max`: names that begin so, then those with a word that does, then those that hold it, then the others. */
export function nearest<R extends { name: string }>(rows: readonly R[], typed: string, rows_max: number): R[] {
  const wanted = plain(typed)
  const distance = ({ name }: R) => {
    const at = plain(name).indexOf(wanted)
    if (at <= 0) return at < 0 ? 3 : 0
    return plain(name).includes(` ${wanted}`) ? 1 : 2
  }
  return rows.toSorted((one, other) => distance(one) - distance(other)).slice(0, rows_max)
}
