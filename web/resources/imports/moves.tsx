// Moves: who moves in, stays and moves out according to a list of rooms: the counts, which expand to the names.
import { dayOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import type { Checked, Moves } from './kind.ts'
import styles from './imports.module.css'

type Group = Moves['moves_in']
type Mover = Group['rows'][number]

const from = ({ arrives_on }: Mover) => arrives_on && `from ${dayOf(arrives_on)}`
const until = ({ departs_on }: Mover) => departs_on && `until ${dayOf(departs_on)}`
const stay = (mover: Mover) => [from(mover), until(mover)].filter(Boolean).join(' ')

export function MovesOf({ result }: { result: Checked }) {
  const { moves_in, stays, moves_out, leave_by_then, begins_on } = result
  if (!moves_in || !stays || !moves_out || !leave_by_then) return null
  return (
    <section className={styles.moves} aria-label="Who moves">
      <People one="moves in" many="move in" group={moves_in} detail={stay} />
      <People one="stays" many="stay" group={stays} detail={stay} />
      <People one="moves out" many="move out" group={moves_out} detail={until} bad />
      {leave_by_then.count > 0 && begins_on && (
        <People
          one={`leaves anyway before ${dayOf(begins_on)}`}
          many={`leave anyway before ${dayOf(begins_on)}`}
          group={leave_by_then}
          detail={until}
        />
      )}
    </section>
  )
}

interface PeopleProps {
  one: string
  many: string
  group: Group
  detail: (mover: Mover) => string | null
  bad?: boolean
}

function People({ one, many, group: { count, rows }, detail, bad = false }: PeopleProps) {
  const line = (
    <>
      <strong>{wholeOf(count)}</strong> {count === 1 ? one : many}
    </>
  )
  if (count === 0) return <p className={styles.nobody}>{line}</p>
  return (
    <details className={styles.movers} data-bad={bad}>
      <summary>{line}</summary>
      <ul>
        {rows.map((mover) => (
          <li key={`${mover.room} ${mover.name} ${mover.row}`}>
            <span>{mover.room}</span>
            <span>{mover.name}</span>
            <small>{detail(mover)}</small>
          </li>
        ))}
        {rows.length < count && <li>{wholeOf(count - rows.length)} more.</li>}
      </ul>
    </details>
  )
}
