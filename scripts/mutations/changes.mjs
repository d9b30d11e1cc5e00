// Changes: the small wrong changes that can be made to a source: those of Stryker, and those that Stryker does not make, in SQL and in
// statements: a `where` dropped, an effect dropped, a claim dropped.

const quiet = Object.fromEntries(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'isDebugEnabled'].map((name) => [name, () => false]),
)

/**
 * @typedef {{ file: string, line: number, from: number, to: number, text: string, what: string }} Change
 * `line` counts from 1; `from` and `to` are places in the source, and `text` stands there afterwards.
 */

/** Those of Stryker on some lines. @returns {Promise<Change[]>} */
export async function strykersOf(file, source, lines) {
  // Commands are read before anything is installed.
  const { Instrumenter } = await import('@stryker-mutator/instrumenter')
  const mutate = [...lines].map((line) => ({ start: { line: line - 1, column: 0 }, end: { line, column: 0 } }))
  const options = { excludedMutations: [], ignorers: [], noHeader: true, plugins: null }
  const { mutants } = await new Instrumenter(quiet).instrument([{ name: file, content: source, mutate }], options)
  const starts = startsOf(source)
  const placeOf = ({ line, column }) => starts[line] + column
  return mutants.map(({ location: { start, end }, replacement, mutatorName }) => ({
    file,
    line: start.line + 1,
    from: placeOf(start),
    to: placeOf(end),
    text: replacement,
    what: mutatorName,
  }))
}

/** What Stryker does not do, on some lines. @returns {Change[]} */
export function othersOf(file, source, lines) {
  const starts = startsOf(source)
  const found = [...conditions(source), ...claims(source), ...effects(source)]
  return [...new Map(found.map((one) => [`${one.from} ${one.to}`, one])).values()]
    .map(({ from, to, text, what }) => ({
      file,
      line: starts.findLastIndex((at) => at <= from) + 1,
      from,
      to,
      text,
      what,
    }))
    .filter(({ line }) => lines.has(line))
}

/**
 * One of the conditions of a statement: what stands between two `and`, if its parentheses end there. Whose a row is asks row security, too,
 * so that nobody could notice the first wall dropped.
 */
function* conditions(source) {
  for (const template of templatesOf(source))
    for (const { index, 0: word } of template.text.matchAll(/\s+and\s+/g)) {
      const from = template.from + index
      const begin = from + word.length
      const to = endOfCondition(source, begin, template.to)
      const before = source.slice(template.from, from)
      const isReach = /^\$\{scope\.inReach\([^()]*\)\}$/.test(source.slice(begin, to))
      if (to > begin && !isReach && !/\bbetween\b[^)]*$/.test(before.slice(before.lastIndexOf(' and ') + 1)))
        yield { from, to, text: '', what: 'a condition dropped' }
    }
}

/** The locks and leases by which one of several takes something. */
function* claims(source) {
  const locks = / for (?:no key )?update(?: of \w+)?(?: skip locked)?/g
  for (const { index, 0: found } of source.matchAll(locks))
    yield { from: index, to: index + found.length, text: '', what: 'a claim dropped' }
  for (const statement of statementsOf(source))
    if (/^await \w+\.lock\(/.test(statement.text)) yield { ...statement, text: 'void 0', what: 'a claim dropped' }
}

/** A call whose answer nobody uses does something. */
function* effects(source) {
  for (const statement of statementsOf(source))
    if (!/^await \w+\.lock\(/.test(statement.text)) yield { ...statement, text: 'void 0', what: 'an effect dropped' }
}

/** Calls that stand as statements of their own. */
function* statementsOf(source) {
  for (const { index, 0: found } of source.matchAll(
    /(?<=^[ ]+(?:else |if \([^\n]*\) )?)(?:await |void )?\w[\w.#?]*\(/gm,
  )) {
    const word = /^(?:await |void )?([\w.#?]+)/.exec(found)?.[1] ?? ''
    if (/^(?:if|for|while|switch|catch|return|throw|function|super|constructor|test|expect)$/.test(word)) continue
    if (!/[{});]\s*$|\belse\s*$|^\s*\/\/[^\n]*$/m.test(lineBefore(source, index))) continue
    const to = closing(source, index + found.length - 1)
    if (to > 0 && /^\s*\n/.test(source.slice(to))) yield { from: index, to, text: source.slice(index, to) }
  }
}

/** The rest of its line before a place, or else the line before. */
function lineBefore(source, at) {
  const lines = source.slice(0, at).split('\n')
  return (lines.at(-1) ?? '').trim() === '' ? (lines.at(-2) ?? '') : `${lines.at(-1)};`
}

/** The place after the parenthesis that closes the one at a place; 0 if there is none. */
function closing(source, open) {
  let depth = 0
  for (let at = open; at < source.length; at++) {
    if ('({['.includes(source[at])) depth++
    if (')}]'.includes(source[at]) && --depth === 0) return at + 1
  }
  return 0
}

const ends =
  /^\s+(?:and|or|where|from|set|join|left join|cross join|order by|group by|limit|for|returning|union|on conflict)\b/

/** Up to the next `and`, `or`, clause or closing parenthesis of the same depth. */
function endOfCondition(source, begin, end) {
  let depth = 0
  for (let at = begin; at < end; at++) {
    if ('({['.includes(source[at])) depth++
    if (')}]'.includes(source[at]) && --depth < 0) return at
    if (depth === 0 && ends.test(source.slice(at, at + 40))) return at
  }
  return depth === 0 ? end : 0
}

/** The texts of SQL. */
function* templatesOf(source) {
  for (const { index, 0: opening } of source.matchAll(/sql(?:<[^`]*>)?`/g)) {
    const from = index + opening.length
    let depth = 0
    for (let at = from; at < source.length; at++) {
      if (source.startsWith('${', at)) depth++
      else if (source[at] === '}' && depth > 0) depth--
      else if (source[at] === '`' && depth === 0) {
        yield { from, to: at, text: source.slice(from, at) }
        break
      }
    }
  }
}

const startsOf = (source) => [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]

/** A choice that is the same for the same seed. */
export function chosen(all, count, seed) {
  let state = seed
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
  }
  const rest = [...all]
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(Math.floor(next() * rest.length), 1)[0])
}
