// Packing: what is packed by the benches of history, as the job packs it.
import type { Client } from 'pg'

/** Sessions of the last three months stand as they are. */
export const hot_s = 60 * 86_400
const sessions_per_pack = 5000

/** All that is to be packed. @returns how long it took, in milliseconds */
export async function packAll(raw: Client): Promise<number> {
  const began_at = performance.now()
  for (let more = true; more;) {
    const { rows } = await raw.query<{ more: boolean }>('select door_pack_sessions($1, $2) as more', [
      hot_s,
      sessions_per_pack,
    ])
    more = rows[0]?.more ?? false
  }
  return performance.now() - began_at
}
