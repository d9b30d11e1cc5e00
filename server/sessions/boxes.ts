// Boxes: what gateways' reports reveal about the boxes that sent them, each with its own clock and restarts.
import type { Reported } from '#server/sessions/record.ts'
import { happenedAt, learned, unknownClock, type BoxClock } from '#server/sessions/box-clock.ts'

export interface Box extends BoxClock {
  /** When it last restarted, by our clock; null: never. Its sessions of that time have ended. */
  restarted_at: number | null
}
/** By the name that each box gives itself. */
export type Boxes = Readonly<Record<string, Box>>

/** Nobody has more behind one gateway; beyond this, the oldest are forgotten and learned again. */
const boxes_max = 200

const newBox: Box = { ...unknownClock, restarted_at: null }

interface Restarted {
  gateway_id: number
  box: string
  at: number
}

/** Updates `stored`, by gateway, from the reports, and returns the reports with the times at which their events happened. */
export function readBoxes(stored: ReadonlyMap<number, Boxes>, received: readonly Reported[]) {
  const boxes = new Map(stored)
  const boxOf = ({ gateway_id, record: { box } }: Reported): Box => {
    const known = boxes.get(gateway_id) ?? {}
    return (Object.hasOwn(known, box) ? known[box] : undefined) ?? newBox
  }
  const keep = ({ gateway_id, record }: Reported, box: Box) => {
    if (box !== boxOf({ gateway_id, record })) boxes.set(gateway_id, withBox(boxes.get(gateway_id), record.box, box))
  }
  for (const report of received) {
    const box = boxOf(report)
    const clock = learned(box, report.record)
    if (clock !== box) keep(report, { ...box, ...clock })
  }
  const reported = received.map((report) => ({
    ...report,
    record: { ...report.record, at: happenedAt(boxOf(report), report.record) },
  }))
  const restarts: Restarted[] = []
  for (const report of reported) {
    const { gateway_id, record } = report
    const box = boxOf(report)
    if (record.kind !== 'restart' || record.at <= (box.restarted_at ?? 0)) continue
    keep(report, { ...box, restarted_at: record.at })
    restarts.push({ gateway_id, box: record.box, at: record.at })
  }
  const changed = [...boxes.keys()].filter((id) => boxes.get(id) !== stored.get(id))
  return { reported, boxes: boxes as ReadonlyMap<number, Boxes>, changed, restarts }
}

function withBox(boxes: Boxes = {}, name: string, box: Box): Boxes {
  const { [name]: _before, ...others } = boxes
  return Object.fromEntries([...Object.entries(others).slice(1 - boxes_max), [name, box]])
}
