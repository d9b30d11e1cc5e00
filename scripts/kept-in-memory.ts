// Kept in memory: finds in a source, by how it is formatted, what outlives a call in the memory of a node: maps, sets and recent values
// that begin empty, of a module, a class, or a function that hands out functions over them; and variables of a module.

/** What begins with values is a constant, or a list of one call. */
const collection = /new (?:(?:Map|Set|WeakMap|WeakSet)\b[^(]*\(\)|Recent\b)/
const declared = /^(  )?(?:export )?(?:const |(let )|(?:(?:private|static|readonly) )*(?=#?\w+(?:: .+)? = new ))(#?\w+)/

/** The names of what a file keeps. */
export function keptIn(source: string): string[] {
  const lines = source.split('\n')
  return lines.flatMap((line, at) => {
    const [, isInner, isVariable, name] = declared.exec(line) ?? []
    if (name === undefined) return []
    if (!isInner) return isVariable !== undefined || collection.test(line) ? [name] : []
    const isOfClass = !/^ +(?:const|let) /.test(line)
    return collection.test(line) && (isOfClass || isUsedLater(name, lines.slice(at + 1))) ? [name] : []
  })
}

/** Whether a function within this one uses a variable of it. `lines` are those that follow, also after its end. */
function isUsedLater(name: string, lines: readonly string[]): boolean {
  const use = new RegExp(`(?<![.\\w])${name}\\b`)
  const end = lines.findIndex((line) => /^\S/.test(line))
  let isInner = false
  for (const line of lines.slice(0, end)) {
    if (/^ {2}[^\s)\]}]/.test(line))
      isInner = /^ {2}(?:async )?function |^ {2}(?:const \w+.* = |return ).*(?:=>|\{$)/.test(line)
    if (isInner && use.test(line)) return true
  }
  return false
}

/** Files, or folders, whose finds are no state of a node, and why not. */
export const exempt: Record<string, string> = {
  'server/api/openapi-schemas.ts': 'of one description',
  'server/billing/keep-nights.ts': 'of one job',
  'server/db/backfills.ts': 'of the start',
  'server/errors/lost-database.ts': 'goes with the error',
  'server/files/portal-zips/entries.ts': 'of one file',
  'server/files/receive.ts': 'goes with the request',
  'server/gateways/settings.ts': 'stays empty',
  'server/imports/': 'of one import, in a process of its own',
  'server/property-systems/mri/translation.ts': 'of one answer',
  'server/property-systems/stay-keys.ts': 'of one list',
  'server/radius-process.ts': 'the process itself',
  'server/sessions/addresses.ts': 'of one transaction',
  'server/sessions/keep-records.ts': 'of one transaction',
  'server/sessions/roll-ups.ts': 'of one transaction',
  'server/stays/sync-state.ts': 'of one transaction',
  'server/tables/shared-texts.ts': 'of one file',
  'server/tables/typesetting.ts': 'of one file',
  'server/time/clock.ts': 'set by tests alone',
  'server/turns/recent-cache.ts': 'of those that make one',
}
