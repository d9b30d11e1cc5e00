// Marks: calls that are put in front of the places of changes, in a copy of the sources, and tell which tests come by there.

/** What a mark calls, where anybody listens (marks.ts). */
const call = (ids) => `globalThis.passing?.(${ids.join(', ')})`

/**
 * A source with a mark before the statement, or in the arrow function, that is nearest around each change. A place that runs once, while
 * its module is loaded, has none: whichever test comes first passes it for all others in its process.
 * @param {{ from: number, to: number, id: number }[]} changes
 */
export async function marked(file, source, changes) {
  // Commands are read before anything is installed.
  const { parseSync } = await import('vite')
  const { program } = parseSync(file, source)
  const hosts = new Map()
  for (const change of changes) {
    const host = hostOf(program, change)
    if (host !== null) hosts.set(host.node, { ...host, ids: [...(hosts.get(host.node)?.ids ?? []), change.id] })
  }
  const pieces = [...hosts.values()].flatMap(({ node: { start, end }, isExpression, ids }) =>
    isExpression
      ? [
          { at: start, text: `(${call(ids)}, ` },
          { at: end, text: ')' },
        ]
      : [{ at: start, text: `${call(ids)}; ` }],
  )
  let text = source
  for (const piece of pieces.toSorted((one, other) => other.at - one.at))
    text = text.slice(0, piece.at) + piece.text + text.slice(piece.at)
  return text
}

const bodies = new Set(['Program', 'BlockStatement', 'StaticBlock', 'SwitchCase'])

function hostOf(program, { from, to }) {
  let host = null
  let functions = 0
  const holds = (node) => node.start <= from && to <= node.end
  const childrenOf = (node) =>
    Object.values(node)
      .flat()
      .filter((one) => typeof one?.type === 'string')
  for (let node = program, parent = null; node;) {
    const isStatement = bodies.has(parent?.type) && node !== parent.test
    const isExpression = parent?.type === 'ArrowFunctionExpression' && parent.expression && node === parent.body
    const isInside = parent?.type.includes('Function') && node === parent.body
    if (isInside) functions++
    if (functions > 0 && (isStatement || isExpression)) host = { node, isExpression }
    parent = node
    node = childrenOf(node).find(holds)
  }
  return host
}
