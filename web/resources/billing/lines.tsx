// Billing lines: what it all comes to, and what each property owes by month. A line expands to the sentence that says why, and to its
// nights, each with its rooms and its reason.
import { useQuery } from '@tanstack/react-query'
import { Fragment, useId, useState } from 'react'
import * as billing from '#contract/billing-runs.ts'
import * as occupancy from '#contract/occupancy-nights.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { amountText, decimalOf } from '#web/kit/display/amounts.ts'
import { monthOf, type Period } from '#web/kit/display/months.ts'
import { correctionOf, GiveFigures, takePresentTerms, type NightRange } from './figures.tsx'
import type { FileFormat } from '#web/kit/display/file-formats.ts'
import { FileMenu } from '#web/kit/display/file-menu.tsx'
import { reasonOf, type BillingRun, type DrawnLine, type ShownNight } from './words.tsx'
import styles from './billing.module.css'

type ShownLine = Omit<DrawnLine, 'nights'> & { key: string }
/** Where the nights of a line come from: stored with it, or calculated again for its property. */
export type NightsOf = { kept: number } | { drawn: { line: ShownLine; period: Period } }

interface LinesTableProps {
  label: string
  lines: ShownLine[]
  totals: BillingRun['totals']
  nights: (line: ShownLine) => NightsOf
  /** Downloads the statement of one property. */
  statement?: TakeStatement | undefined
  /** The lines are frozen, so corrections go to the next bill. */
  billed?: boolean
}
type TakeStatement = (of: { id: number; name: string }, format: FileFormat) => void

export function LinesTable({ label, lines, totals, nights, statement, billed = false }: LinesTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) =>
    setOpen((now) => new Set(now.has(key) ? [...now].filter((other) => other !== key) : [...now, key]))
  return (
    <div className={styles.lines}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col" className={styles.wide}>
              Month
            </th>
            <th scope="col" className={styles.wide} data-end>
              Unit nights
            </th>
            <th scope="col" className={styles.wide} data-end>
              Rate
            </th>
            <th scope="col" data-end>
              Amount
            </th>
          </tr>
        </thead>
        <tbody className={styles.totals}>
          {totals.map(({ currency, amount }) => (
            <tr key={currency}>
              <th scope="row">Total {totals.length > 1 && currency}</th>
              <td className={styles.wide} colSpan={3}>
                {'\u00A0'}
              </td>
              <td data-end>{amountText(currency, amount)}</td>
            </tr>
          ))}
        </tbody>
        <tbody>
          {lines.map((line) => (
            <LineRow
              key={line.key}
              line={line}
              isOpen={open.has(line.key)}
              toggle={() => toggle(line.key)}
              nights={nights}
              statement={statement}
              billed={billed}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LineRowProps {
  line: ShownLine
  isOpen: boolean
  toggle: () => void
  nights: (line: ShownLine) => NightsOf
  statement: TakeStatement | undefined
  billed: boolean
}

function LineRow({ line, isOpen, toggle, nights, statement, billed }: LineRowProps) {
  const id = useId()
  const { id: property_id, name } = line.property
  const { kind, property, month, unit_days, rate_per_unit, currency, amount, reason, why_changed } = line
  return (
    <Fragment>
      <tr className={styles.line} data-open={isOpen}>
        <td>
          <button type="button" className={styles.opener} aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
            <Icon name={isOpen ? 'down' : 'forward'} size={16} />
            <span>
              {property.name}
              <span className={styles.narrow}> {monthOf(month)}</span>
            </span>
          </button>
          {kind === 'correction' && <Badge>Correction</Badge>}
        </td>
        <td className={styles.wide}>{monthOf(month)}</td>
        <td className={styles.wide} data-end>
          {unit_days < 0 ? `−${wholeOf(-unit_days)}` : wholeOf(unit_days)}
        </td>
        <td className={styles.wide} data-end>
          {rate_per_unit === null ? <span className={styles.quiet}>changed</span> : decimalOf(rate_per_unit)}
        </td>
        <td data-end className={styles.amount}>
          {amountText(currency, amount)}
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.opened}>
          <td colSpan={5} id={id}>
            <div className={styles.inside}>
              <div className={styles.reasonLine}>
                <p className={styles.why}>{[why_changed, reason].filter(Boolean).join(' ')}</p>
                {statement && property_id !== null && (
                  <FileMenu
                    label={`Statement of ${name}`}
                    words="Statement"
                    take={(format) => statement({ id: property_id, name }, format)}
                  />
                )}
              </div>
              <Nights line={line} of={nights(line)} billed={billed} />
            </div>
          </td>
        </tr>
      )}
    </Fragment>
  )
}

async function readNights(of: NightsOf, signal: AbortSignal): Promise<ShownNight[]> {
  if ('kept' in of) {
    const ask = { params: { billing_line_id: of.kept }, per_page: 200 }
    return (await call(billing.billedNightList, ask, { signal })).data
  }
  const { line, period } = of.drawn
  const ask = { property_ids: line.property.id === null ? [] : [line.property.id], ...period }
  const { data } = await call(billing.previewRun, ask, { signal })
  const same = data.find(
    ({ month, currency, kind }) => month === line.month && currency === line.currency && kind === line.kind,
  )
  return same?.nights ?? []
}

function Nights({ line, of, billed }: { line: ShownLine; of: NightsOf; billed: boolean }) {
  const mayCorrect = useMayCall(occupancy.correctNight)
  const [asked, setAsked] = useState<NightRange>()
  const { data, error, refetch } = useQuery({
    queryKey:
      'kept' in of
        ? keys.list(billing.billedNightList.path, of.kept)
        : keys.list(billing.previewRun.path, 'nights', line.key, of.drawn.period),
    queryFn: ({ signal }) => readNights(of, signal),
    staleTime: 'kept' in of ? 60_000 : 0,
  })
  if (error) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={160} label="Loading the nights" />
  const withWas = data.some(({ was }) => was)
  const unrated = data.filter(billing.isUnrated).map(({ night }) => night)
  const { id, name } = line.property
  // The ledger of an erased property no longer exists.
  const property = mayCorrect && id !== null ? { id, name } : undefined
  return (
    <>
      {property && !billed && unrated.length > 0 && (
        <div className={styles.terms}>
          <Button icon="refresh" onClick={() => void takePresentTerms(property, unrated)}>
            Use the present terms
          </Button>
        </div>
      )}
      {asked && <GiveFigures asked={asked} close={() => setAsked(undefined)} />}
      <div className={styles.nights}>
        <table aria-label={`Nights of ${line.property.name}, ${monthOf(line.month)}`}>
          <thead>
            <tr>
              <th scope="col">Night</th>
              <th scope="col" data-end>
                Let
              </th>
              <th scope="col" data-end className={styles.wide}>
                At least
              </th>
              <th scope="col" data-end>
                Billed
              </th>
              {withWas && (
                <th scope="col" data-end>
                  Was
                </th>
              )}
              <th scope="col" data-end className={styles.wide}>
                Rate
              </th>
              <th scope="col">Reason</th>
              <th scope="col" className={styles.wide}>
                Rooms
              </th>
              {property && (
                <th className={styles.correct}>
                  <span className="unseen">Correct</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.map((night) => (
              <tr key={night.night}>
                <td>{dayOf(night.night)}</td>
                <td data-end>{night.occupied_units}</td>
                <td data-end className={styles.wide}>
                  {night.floor_units} <span className={styles.quiet}>({night.percentage}%)</span>
                </td>
                <td data-end>
                  {night.billable_units} <span className={styles.quiet}>of {night.total_units}</span>
                </td>
                {withWas && <td data-end>{night.was?.billable_units}</td>}
                <td data-end className={styles.wide}>
                  {decimalOf(night.rate_per_unit)}
                </td>
                <td>{reasonOf(night)}</td>
                <td className={`${styles.wide} ${styles.rooms}`}>
                  <Rooms numbers={night.room_numbers} />
                </td>
                {property && (
                  <td className={styles.correct}>
                    <IconButton
                      icon="edit"
                      label={`Correct ${dayOf(night.night)}`}
                      onClick={() => void correctionOf(property, night.night, billed).then(setAsked)}
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const rooms_shown = 8
/** Collapses long lists, which would make the rows too high. */
function Rooms({ numbers }: { numbers: string[] }) {
  if (numbers.length <= rooms_shown) return numbers.join(', ')
  return (
    <details>
      <summary>{wholeOf(numbers.length)} rooms</summary>
      {numbers.join(', ')}
    </details>
  )
}
