// Bare refusals: tests that ask a refused call for its status alone, which it has for many other reasons, too. Found in the syntax of the
// tests, in whatever form they ask. What says the reason as well is `expectRefused` of test/refused.ts.
import { parseSync } from 'vite'
import { refusals } from '#contract/errors.ts'

/** Where a status is all that is answered, or that whoever asks looks at. `asks` is a part of each such assertion. */
export const bare: { file: string; asks: string; why: string }[] = [
  {
    file: 'server/api/access-log.test.ts',
    asks: 'lines(request_id)',
    why: 'a line of the log has the status, and its cause in the line before',
  },
  { file: 'server/apps/health.test.ts', asks: 'checks: {', why: 'a node says which of its checks has failed' },
  {
    file: 'server/guest/captive.test.ts',
    asks: 'stateFor(',
    why: 'a device asks there by itself, and is told nothing where nothing is known of it',
  },
  { file: 'test/freeradius.test.ts', asks: 'plain.status', why: 'a caller without the token is told nothing' },
  {
    file: 'test/proofs/hostile-files.test.ts',
    asks: 'new Set([429])',
    why: 'which of several limits is reached first depends on the machine',
  },
  {
    file: 'test/proofs/kills-creates.test.ts',
    asks: 'new Set(refused',
    why: 'thousands of answers are kept by their status and their time',
  },
  {
    file: 'test/proofs/load/noisy-neighbour.test.ts',
    asks: 'statuses.keys()',
    why: 'thousands of answers are counted by their status',
  },
]

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
const childrenOf = (node: Node) => Object.values(node).flat().filter(isNode)
const named = (value: unknown): unknown => (isNode(value) ? (value['name'] ?? value['value']) : undefined)

const of_tests = /\.test\.tsx?$|^test\/.*\.ts$/
/** 500 is as often another number. */
const refusing = new Set<unknown>(Object.values(refusals).map(({ status }) => (status === 500 ? undefined : status)))
const comparing = /^to(?:Be|Equal|StrictEqual|MatchObject|Contain|ContainEqual|HaveProperty|BeGreaterThan(?:OrEqual)?)$/

/** The refusals that tests ask for without a reason, one line each, and exceptions that nothing needs. */
export function checkRefusals(files: Map<string, string>): string[] {
  const problems: string[] = []
  const needed = new Set<unknown>()
  for (const [file, source] of files) {
    if (!of_tests.test(file) || !/\bexpect\b/.test(source) || !/\b[45]\d\d\b|\brefusals\b/.test(source)) continue
    for (const { start, end } of bareIn(source, file)) {
      const text = source.slice(start, end)
      const exception = bare.find((one) => one.file === file && text.includes(one.asks))
      if (exception) needed.add(exception)
      else
        problems.push(
          `${file}:${source.slice(0, start).split('\n').length}  asks a refused call for its status alone: say why it ` +
            'is refused, by expectRefused of test/refused.ts',
        )
    }
  }
  const unneeded = bare.filter((one) => files.has(one.file) && !needed.has(one))
  return [
    ...problems,
    ...unneeded.map(
      ({ file, asks }) => `scripts/bare-refusals.ts  excepts ${asks} of ${file}, which asks no such thing`,
    ),
  ]
}

/** Assertions, and objects that several of them ask for by a function. */
function bareIn(source: string, file: string): Node[] {
  const found: Node[] = []
  const visit = (node: Node) => {
    const { of, wanted = [] } = assertionIn(node) ?? {}
    if (of) {
      const asked = source.slice(of.start, of.end)
      const given = new Set(asked.match(/\w+/g))
      const isAsked = /status/i.test(asked)
      if (wanted.some((one) => saysStatus(one, isAsked)) && !wanted.some((one) => saysReason(one, given)))
        found.push(node)
    } else if (isForAny(node)) found.push(node)
    else for (const child of childrenOf(node)) visit(child)
  }
  visit(parseSync(file, source).program as unknown as Node)
  return found
}

/** `expect(of)…toBe(wanted)`; what is `not` so says no status. */
function assertionIn(node: Node): { of: Node; wanted: Node[] } | null {
  if (node.type !== 'CallExpression') return null
  const { callee, arguments: wanted } = node as unknown as { callee: Node; arguments: Node[] }
  if (!comparing.test(String(named(callee['property'])))) return null
  let asked = callee['object'] as Node
  while (asked.type === 'MemberExpression') {
    if (named(asked['property']) === 'not') return null
    asked = asked['object'] as Node
  }
  const [of] = (asked['arguments'] ?? []) as Node[]
  const called = asked['callee']
  const says = isNode(called) && called.type === 'MemberExpression' ? named(called['object']) : named(called)
  return says === 'expect' && of ? { of, wanted } : null
}

/** `{ status: 422, body: { errors: { [field]: [expect.any(String)] } } }` */
const isForAny = (node: Node) =>
  node.type === 'ObjectExpression' &&
  saysStatus(node, false) &&
  !saysReason(node, new Set()) &&
  JSON.stringify(node, (key, value: unknown) => (key === 'parent' ? undefined : value)).includes('"name":"expect"')

/** Whether a status of a refusal is among what is wanted: that of a field of this name, or a number of no field. */
function saysStatus(node: Node, isAsked: boolean): boolean {
  if (node.type === 'Literal') {
    const { value } = node
    return refusing.has(value) || (isAsked && typeof value === 'number' && value >= 400 && value < 600)
  }
  if (node.type === 'MemberExpression')
    return named(node['property']) === 'status' && named((node['object'] as Node)['object']) === 'refusals'
  if (node.type !== 'Property') return childrenOf(node).some((child) => saysStatus(child, isAsked))
  const value = node['value'] as Node
  const isStatus = /^status(?:Code)?$/.test(String(named(node['key'])))
  return isStatus ? saysStatus(value, true) : value.type !== 'Literal' && saysStatus(value, false)
}

/** A sentence, its pattern, or the name of one; what is asked, too (`given`), is none, nor is a header. */
function saysReason(node: Node, given: Set<string>): boolean {
  const says = (one: unknown) => isNode(one) && saysReason(one, given)
  switch (node.type) {
    case 'Literal':
      return 'regex' in node || /\s|\.$/.test(String(node['value']))
    case 'TemplateLiteral':
      return true
    case 'Identifier':
      return !given.has(String(node['name'])) && node['name'] !== 'undefined'
    case 'MemberExpression':
      return !given.has(String(named(node['property']))) && named(node['property']) !== 'status'
    case 'Property':
      return says(node['value'])
    case 'ConditionalExpression':
      return says(node['consequent']) || says(node['alternate'])
    case 'NewExpression':
      return (node['arguments'] as unknown[]).some(says)
    case 'CallExpression':
      return saysReasonInCall(node, given)
    default:
      return childrenOf(node).some(says)
  }
}

/** `expect.any(…)` is none, and what `Array(…)` is filled with is read as it stands. */
function saysReasonInCall(node: Node, given: Set<string>): boolean {
  const { callee, arguments: args } = node as unknown as { callee: Node; arguments: Node[] }
  const [called, object] = [String(named(callee['property']) ?? named(callee)), named(callee['object'])]
  if (/^any(?:thing)?$/.test(called)) return false
  const isPlain = object === 'expect' || object === 'Array' || called === 'fill' || called === 'Array'
  return !isPlain || args.some((one) => saysReason(one, given))
}
