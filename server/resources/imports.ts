// Imports: guest accounts from a spreadsheet, checked before anything is written.
import { sql } from 'kysely'
import * as contract from '#contract/imports.ts'
import type { Output, Parsed } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import type { UploadedFile } from '#server/files/receive.ts'
import type { Services } from '#server/services.ts'
import { invalid } from '#server/access/refused.ts'
import { serve, staged } from '#server/api/serve.ts'
import { UnreadableFile } from '#server/spreadsheets/limits.ts'
import type { Caller, Scope } from '#server/access/tenancy.ts'
import { compare, place, refuseAstray, store, type Chosen, type Placed } from '#server/imports/account-import.ts'
import { refuseOverfull } from './account-limits.ts'
import { gather, type Gathered } from '#server/imports/account-file.ts'
import { keyOf, Problems } from '#server/imports/account-records.ts'

type Asked = Parsed<typeof contract.accounts>
type Result = Output<typeof contract.accounts>

/** Where the log tells of it: at each property that got accounts. */
const ofProperties = { table: 'properties', belongs: { property_id: 'id' } } as const

export default ({ tenancy, seal }: Services) => {
  /** Entity in a transaction of its own, for that of the import leaves nothing behind. */
  const keepFailure = (
    caller: Caller,
    { AccountImport, dry_run }: Asked,
    property_id: number | null,
    problems: unknown,
  ) =>
    dry_run
      ? Promise.resolve()
      : tenancy.enter(caller, 'write', (scope) =>
          keep(scope, {
            file_name: AccountImport.name,
            property_id,
            outcome: 'failed',
            problems: JSON.stringify(problems),
          }),
        )

  async function read(caller: Caller, input: Asked): Promise<Gathered> {
    try {
      return await gather(input.AccountImport as UploadedFile)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      await keepFailure(caller, input, null, [{ row: 0, column: null, message: error.message }])
      throw invalid({ AccountImport: [error.message] })
    }
  }

  async function importAccounts(scope: Scope, input: Asked, gathered: Gathered): Promise<Result> {
    const chosen = choose(scope, input)
    if (!input.dry_run) await takeTurns(scope, gathered, chosen)
    const problems = new Problems(gathered.problems, gathered.problem_rows)
    const placed = place(gathered, chosen, problems)
    await refuseAstray(scope, placed, problems)
    await compare(scope, placed, problems)
    if (problems.row_count > 0 && !input.dry_run) {
      await keepFailure(scope, input, chosen.property_id, problems.list)
      throw invalid({ AccountImport: inWords(problems, gathered.rows) })
    }
    if (problems.row_count === 0) await refuseOverfull(scope, newIn(placed))
    const expected = await foresee(scope, gathered, placed, chosen, problems)
    return input.dry_run ? expected : write(scope, input, expected, placed, { chosen, columns: gathered.columns })
  }

  async function write(
    scope: Scope,
    { AccountImport: { name: file_name } }: Asked,
    expected: Result,
    placed: Map<string, Placed>,
    how: { chosen: Chosen; columns: string[] },
  ): Promise<Result> {
    const counts = await store(scope, seal, placed, how)
    const { total, duplicates } = expected
    await keep(scope, { file_name, property_id: how.chosen.property_id, outcome: 'done', total, duplicates })
    const after = { file_name, accounts: total, duplicates, ...counts }
    await logActivityOfMany(scope, { action: 'import', entity: ofProperties, ids: [...newIn(placed).keys()], after })
    return { ...expected, ...counts }
  }

  return serve(contract, {
    accounts: staged(
      ({ visitor, input }: { visitor: { caller: Caller }; input: Asked }) => read(visitor.caller, input),
      ({ scope, input, prepared }) => importAccounts(scope, input, prepared),
    ),
  })
}

/** Someone of a property imports into it; someone of a group says into which; rows may only do so for a whole customer. */
function choose({ owner }: Scope, { property_id, package_id, account_type_id }: Asked): Chosen {
  const chosen = property_id ?? (owner.owner_type === 'Property' ? owner.owner_id : null)
  if (chosen === null && owner.owner_type === 'Group') throw invalid({ property_id: [messages.fields.required] })
  return { property_id: chosen, package_id: package_id ?? null, account_type_id }
}

/** Two imports into one property follow one another, so that each counts right what it overwrites. */
async function takeTurns(scope: Scope, { records }: Gathered, { property_id }: Chosen) {
  const named = property_id === null ? records.flatMap((record) => record.property_id ?? []) : [property_id]
  await scope.run(sql`
    select from properties as t where t.id = any(${[...new Set(named)]}) and ${scope.inReach('properties', 't')}
    order by t.id for no key update`)
}

/** What would come of it. */
async function foresee(
  scope: Scope,
  gathered: Gathered,
  placed: Map<string, Placed>,
  chosen: Chosen,
  problems: Problems,
): Promise<Result> {
  const { rows, duplicates, ignored } = gathered
  const overwritten = [...placed.values()].filter(({ exists }) => exists).length
  return {
    total: placed.size,
    duplicates,
    created: placed.size - overwritten,
    overwritten,
    rows,
    problems: problems.list.toSorted((one, other) => one.row - other.row),
    problem_rows: problems.row_count,
    preview: await previewOf(scope, gathered, placed, chosen),
    ignored_columns: ignored,
  }
}

async function previewOf(scope: Scope, { first }: Gathered, placed: Map<string, Placed>, chosen: Chosen) {
  const rows = first.map((record) => ({
    ...record,
    property_id: record.property_id ?? chosen.property_id,
    package_id: record.package_id ?? chosen.package_id,
  }))
  const packages = await scope.run(sql<{ id: number; name: string }>`
    select t.id, t.name from packages as t
    where t.id = any(${rows.flatMap(({ package_id }) => package_id ?? [])}) and ${scope.inReach('packages', 't')}`)
  return rows.map((record) => {
    const entity = placed.get(keyOf(record))
    return {
      row: record.row,
      name: record.name,
      email: record.email,
      package_name: packages.find(({ id }) => id === record.package_id)?.name ?? null,
      outcome:
        entity && entity.row !== record.row
          ? ('duplicate' as const)
          : entity?.exists
            ? ('overwritten' as const)
            : ('new' as const),
    }
  })
}

function newIn(placed: Map<string, Placed>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { property_id, exists } of placed.values())
    counts.set(property_id, (counts.get(property_id) ?? 0) + (exists ? 0 : 1))
  return counts
}

const inWords = (problems: Problems, rows: number) => [
  `${problems.row_count} of ${rows} rows cannot be imported, so nothing was.`,
  ...problems.list.map(({ row, column, message }) => `Row ${row}${column === null ? '' : `, ${column}`}: ${message}`),
]

const keep = (scope: Scope, values: Record<string, unknown>) =>
  scope.insert('imports', { kind: 'accounts', user_id: scope.user?.id ?? null, finished_at: sql`now()`, ...values })
