// Ticks: all of a list of stays, those of a group, and what is done to those who are ticked.
import type { StayOfToday } from '#contract/today.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { say } from '#web/words/desk.ts'
import type { Ticked } from './stay-lists.ts'
import styles from './today.module.css'

/** So many of one name are offered as a group. */
const group_min = 2

interface TicksProps {
  ticked: Ticked
  rows: readonly StayOfToday[]
  /** There are more than these. */
  isCut: boolean
  ticks: readonly number[]
  setTicks: (ids: readonly number[]) => void
  busy: readonly number[]
  onPress: (chosen: readonly StayOfToday[]) => void
}

export function Ticks({ ticked: { icon, action }, rows, isCut, ticks, setTicks, busy, onPress }: TicksProps) {
  const chosen = rows.filter(({ id }) => ticks.includes(id))
  const isBusy = chosen.some(({ id }) => busy.includes(id))
  const groups = [...Map.groupBy(rows, ({ group_name }) => group_name)].filter(
    (group): group is [string, StayOfToday[]] => group[0] !== null && group[1].length >= group_min,
  )
  return (
    <div className={styles.ticked}>
      <Checkbox
        label={isCut ? say('day.first', { count: rows.length }) : say('day.all')}
        checked={chosen.length === rows.length}
        partly={chosen.length > 0 && chosen.length < rows.length}
        onChange={(on) => setTicks(on ? rows.map(({ id }) => id) : [])}
      />
      {groups.map(([name, some]) => {
        const left = some.filter(({ id }) => !ticks.includes(id))
        return (
          <Checkbox
            key={name}
            label={`${name} (${some.length})`}
            checked={left.length === 0}
            partly={left.length > 0 && left.length < some.length}
            onChange={(on) =>
              setTicks(
                on ? [...ticks, ...left.map(({ id }) => id)] : ticks.filter((id) => some.every((one) => one.id !== id)),
              )
            }
          />
        )
      })}
      {chosen.length > 0 && (
        <Button kind="primary" icon={icon} busy={isBusy} onClick={() => onPress(chosen)}>
          {say(action, { count: chosen.length })}
        </Button>
      )}
    </div>
  )
}
