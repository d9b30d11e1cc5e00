// Front office: a simulated FIAS at one property of the demo. It knows the guests who stay there; some arrive, move and leave while it
// runs, so that the link, its log and what it says differently are seen at work.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFias, type SimulatedFias } from '#server/property-systems/fias/simulation.ts'
import { addDays } from '#contract/days.ts'

export interface FrontOffice {
  port: number
  rooms: string[]
  guests: { key: string; room: string; name: string; first_name: string; nights: number }[]
}

/** YYMMDD. */
export const fiasDay = (nights: number, today = new Date().toISOString().slice(0, 10)) =>
  addDays(today, nights).slice(2).replaceAll('-', '')

export async function openFrontOffice({ port, guests }: FrontOffice): Promise<SimulatedFias> {
  const pms = await openFias(port)
  for (const { nights, ...guest } of guests) pms.guests.set(guest.key, { ...guest, departs: fiasDay(nights) })
  return pms
}

const names = ['Abbott', 'Bianchi', 'Castro', 'Dubois', 'Eriksen', 'Fischer', 'Garcia', 'Hughes', 'Ivanov', 'Jansen']
/** One thing happens in about this time. */
const pace_ms = 20_000
const draw = <T>(values: readonly T[]): T | undefined => values[values.length === 0 ? 0 : randomInt(values.length)]

/** Until it is stopped. */
export async function runFrontOffice(office: FrontOffice, signal: AbortSignal) {
  const pms = await openFrontOffice(office)
  let key = 90_000 + (Date.now() % 9_000_000)
  while (!signal.aborted) {
    await sleep(pace_ms * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    if (signal.aborted || pms.connections() === 0) continue
    const there = [...pms.guests.values()]
    const free = office.rooms.filter((room) => there.every((guest) => guest.room !== room))
    const [room, guest, what] = [draw(free), draw(there), randomInt(3)]
    if (what === 0 && room) pms.checkIn({ key: String(++key), room, name: draw(names) ?? '', departs: fiasDay(2) })
    else if (what === 1 && room && guest) pms.move(guest.key, room)
    else if (guest) pms.checkOut(guest.key)
  }
  await pms.close()
}
