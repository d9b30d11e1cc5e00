// The page docs/proofs.md: a head, a part for each file of proofs, and a part that another command writes.

import path from 'node:path'

/** The end of the page, from this heading on, is the output of `npm run proof:opennds`. */
const kept_from = '## Through a real openNDS'
/** What the names of the parts that `npm run mutations` writes begin with. */
export const partsOfMutations = 'mutations of '

/**
 * The page after a run. A whole run takes the place of all of it; a run of some files takes the place of their parts, each of
 * which says what it was made of.
 * @param before the page as it was
 * @param found vitest's report
 * @param made_of commit, day and seed, as lines of a list
 */
export function pageOf(before, { testResults, numPassedTests, numFailedTests }, { made_of, isWhole }) {
  const run = testResults.map((result) => partOf(result, isWhole ? [] : made_of))
  const head = isWhole
    ? `# Proofs

What the last whole run of \`npm run proofs\` found; that command writes this page. A part that has a commit of its own was run by
itself since. \`npm test\` runs a hundredth of it.

${made_of.join('\n')}
- ${numPassedTests} passed, ${numFailedTests} failed
`
    : headOf(before)
  const stays = ({ name }) => !run.some((one) => one.name === name) && (!isWhole || name.startsWith(partsOfMutations))
  return assembled(before, head, [...partsOf(before).filter(stays), ...run])
}

/** The page with a part that another command made, in place of its last one. */
export const pageWith = (before, part) =>
  assembled(before, headOf(before), [...partsOf(before).filter(({ name }) => name !== part.name), part])

function assembled(before, head, parts) {
  const inOrder = parts.toSorted((one, other) => one.name.localeCompare(other.name))
  const at = before.indexOf(kept_from)
  return [head, ...inOrder.map(({ text }) => text), ...(at < 0 ? [] : [before.slice(at)])]
    .map((text) => `${text.trim()}\n`)
    .join('\n')
}

const ownPart = (page) => page.split(kept_from)[0] ?? ''
const headOf = (page) => ownPart(page).split('\n## ')[0]?.trim() || '# Proofs'
const partsOf = (page) =>
  ownPart(page)
    .split('\n## ')
    .slice(1)
    .map((text) => ({ name: text.split(' (')[0] ?? '', text: `## ${text}` }))

/** A file's tests: those with figures or failures one by one, the others counted. */
function partOf({ name, assertionResults, startTime, endTime }, made_of) {
  const special = assertionResults.filter(({ status, meta }) => status !== 'passed' || meta?.figures)
  const plain = assertionResults.length - special.length
  const seconds = Math.round((endTime - startTime) / 1000)
  const short = path.basename(name, '.test.ts')
  const lines = [
    `## ${short} (${seconds} s)\n`,
    ...made_of,
    ...special.map(({ title, status, meta }) => `- ${title}: ${status}${meta?.figures ? `; ${meta.figures}` : ''}`),
    ...(plain > 0 ? [`- ${plain} tests without figures: passed`] : []),
  ]
  return { name: short, text: lines.join('\n') }
}
