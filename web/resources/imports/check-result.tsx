// Check result: what an upload would do, with the problems and the first rows, before anything is written.
import { counted, wholeOf } from '#web/kit/display/numbers.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { MovesOf } from './moves.tsx'
import { ProblemsButton } from './problems-button.tsx'
import type { Checked, ImportKind } from './kind.ts'
import type { CheckState } from './use-import.ts'
import styles from './imports.module.css'

export interface CheckResultProps {
  kind: ImportKind
  check: CheckState
  file: string
  pasted: boolean
  again: () => void
  /** Rows with problems are left out. */
  skips: boolean
  onSkip: (skips: boolean) => void
}

export function CheckResult({ kind, check, file, pasted, again, skips, onSkip }: CheckResultProps) {
  switch (check.state) {
    case 'none':
      return null
    case 'checking':
      return (
        <div className={styles.result} role="status" aria-busy>
          <p className={styles.verdict}>Checking the {pasted ? 'cells' : 'file'}…</p>
          <div className={styles.tiles}>
            {tiles.map(({ title }) => (
              <div key={title} className={styles.tile}>
                <Skeleton width={48} height={22} />
                <span>{title}</span>
              </div>
            ))}
          </div>
        </div>
      )
    case 'refused':
      return (
        <Notice tone="error">
          <div className={styles.refused}>
            {check.sentence}
            {check.again && (
              <Button icon="refresh" onClick={again}>
                Check again
              </Button>
            )}
          </div>
        </Notice>
      )
    case 'checked':
      return <Result kind={kind} result={check.result} file={file} pasted={pasted} skips={skips} onSkip={onSkip} />
  }
}

const tiles: { title: string; of: (result: Checked) => number; bad?: boolean }[] = [
  { title: 'New', of: ({ created }) => created },
  { title: 'Overwritten', of: ({ overwritten }) => overwritten },
  { title: 'Duplicates', of: ({ duplicates }) => duplicates },
  { title: 'Rows with problems', of: ({ problem_rows }) => problem_rows, bad: true },
]

interface ResultProps {
  kind: ImportKind
  result: Checked
  file: string
  pasted: boolean
  skips: boolean
  onSkip: (skips: boolean) => void
}

function verdictOf({ kind: { one, many }, result, pasted, skips }: ResultProps): string {
  const { problem_rows, total, rows } = result
  if (problem_rows > 0 && skips && total > 0)
    return `Ready: ${counted(total, one, many)}. ${counted(problem_rows, 'row is', 'rows are')} left out.`
  if (problem_rows > 0)
    return (
      `${counted(problem_rows, 'row needs', 'rows need')} a correction. Nothing is imported until ` +
      `${pasted ? 'everything is right: correct it, and paste it' : 'the whole file is right: correct it, and choose it'} again.`
    )
  if (total === 0)
    return rows === 0
      ? `There is a header but no ${many} below it.`
      : `There is nothing to import in ${pasted ? 'these cells' : 'this file'}.`
  return `Ready: ${counted(total, one, many)} from ${counted(rows, 'row', 'rows')}.`
}

function Result(props: ResultProps) {
  const { kind, result } = props
  const good = (result.problem_rows === 0 || props.skips) && result.total > 0
  const bad = result.problems.length > 0
  return (
    <div className={styles.result}>
      <Notice tone={good ? 'success' : 'error'}>
        {verdictOf(props)}
        {good &&
          result.duplicates > 0 &&
          ` ${counted(result.duplicates, 'row repeats', 'rows repeat')} a name; the last one of each wins.`}
      </Notice>
      {bad && result.total > 0 && (
        <Switch
          name="skip_problems"
          label="Leave the rows with problems out"
          hint="The other rows are imported. Those left out stay as they are."
          checked={props.skips}
          onChange={props.onSkip}
        />
      )}
      {/* First of all, what prevents the import or is left out of it. */}
      {bad && <Problems {...props} />}
      {result.ignored_columns.length > 0 && (
        <Notice>
          {result.ignored_columns.length === 1 ? 'This column is' : 'These columns are'} not known and left out:{' '}
          {result.ignored_columns.join(', ')}.
        </Notice>
      )}
      {result.notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
      <LeftOut result={result} />
      <MovesOf result={result} />
      <dl className={styles.tiles}>
        {tiles.map(({ title, of, bad: counts }) => (
          <div key={title} className={styles.tile} data-bad={counts && of(result) > 0}>
            <dd>{wholeOf(of(result))}</dd>
            <dt>{title}</dt>
          </div>
        ))}
      </dl>
      <Preview kind={kind} result={result} />
    </div>
  )
}

/** Values of good rows that are not stored, each with its reason: some could not be read, of others the record takes one alone. */
export function LeftOut({ result: { left_out, left_out_rows } }: { result: Checked }) {
  if (left_out_rows === 0) return null
  return (
    <Notice>
      {counted(left_out_rows, 'row has a value that is', 'rows have values that are')} not stored:
      <ul className={styles.named}>
        {left_out.slice(0, left_out_shown_max).map(({ row, column, value, sentence }) => (
          <li key={`${row} ${column} ${value}`}>
            Row {row}, {column}: “{value}”. {sentence}.
          </li>
        ))}
        {left_out.length > left_out_shown_max && <li>{wholeOf(left_out.length - left_out_shown_max)} more.</li>}
      </ul>
    </Notice>
  )
}
const left_out_shown_max = 8

function Problems({ result, file, pasted }: ResultProps) {
  const { problems, problem_rows } = result
  const rowsShown = new Set(problems.map(({ row }) => row)).size
  return (
    <>
      {/* Long lists scroll, also by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Problems">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col" className={styles.row}>
                Row
              </th>
              <th scope="col" className={styles.column}>
                Column
              </th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, column, message }) => (
              <tr key={`${row} ${column} ${message}`}>
                <td className={styles.row}>{row}</td>
                <td className={styles.column}>{column ? <code>{column}</code> : 'Whole row'}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.below}>
        <p>
          {rowsShown < problem_rows
            ? `The first ${wholeOf(rowsShown)} of ${wholeOf(problem_rows)} rows.`
            : pasted
              ? 'Rows are counted from the first that was pasted.'
              : 'Rows are counted as in your spreadsheet: the header is 1.'}
        </p>
        <ProblemsButton of={{ file_name: file, problems, left_out: result.left_out }} />
      </div>
    </>
  )
}

const outcomes: Record<Checked['preview'][number]['outcome'], { tone: Tone; word: string }> = {
  new: { tone: 'good', word: 'New' },
  overwritten: { tone: 'plain', word: 'Overwritten' },
  duplicate: { tone: 'waiting', word: 'Duplicate' },
}

function Preview({ kind, result }: { kind: ImportKind; result: Checked }) {
  if (result.preview.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="First rows">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.row}>
              Row
            </th>
            <th scope="col">Name</th>
            <th scope="col" className={styles.wide}>
              {kind.shown.title}
            </th>
            <th scope="col" className={styles.wide}>
              Package
            </th>
            <th scope="col" className={styles.outcome}>
              What happens
            </th>
          </tr>
        </thead>
        <tbody>
          {result.preview.map((entry) => (
            <tr key={entry.row}>
              <td className={styles.row}>{entry.row}</td>
              <td>{entry.name}</td>
              <td className={styles.wide}>{kind.shown.of(entry)}</td>
              <td className={styles.wide}>{entry.package_name}</td>
              <td className={styles.outcome}>
                <Badge tone={outcomes[entry.outcome].tone}>{outcomes[entry.outcome].word}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
