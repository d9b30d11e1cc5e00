// The page docs/proofs.md: a head, a part for each file of proofs, and a part for each other command that writes to it.

import path from 'node:path'

/** The heading of a file of proofs, which has its duration; those of other commands have none. */
const file_of_proofs = /^## \S+ \(\d+ s\)$/

/**
 * The page after a run. A whole run replaces the parts of all files of proofs; a run of some files replaces only theirs, each of which
 * says what it was made of.
 * @param before the former page
 * @param found vitest's report
 * @param made_of commit, day and seed, as lines of a list
 */
export function pageOf(before, { testResults, numPassedTests, numFailedTests }, { made_of, isWhole }) {
  const run = testResults.map((result) => partOf(result, isWhole ? [] : made_of))
  const head = isWhole
    ? `# Proofs

What the last whole run of \`npm run proofs\` found; that command writes this page. A part that has a commit of its own was run by
itself since. \`npm test\` runs a sample of it.

${made_of.join('\n')}
- ${numPassedTests} passed, ${numFailedTests} failed
`
    : headOf(before)
  const stays = (part) =>
    !run.some(({ name }) => name === part.name) && (!isWhole || !file_of_proofs.test(part.text.split('\n')[0]))
  return assembled(head, [...partsOf(before).filter(stays), ...run])
}

/** The page with a part of another command, in place of its former one. */
export const pageWith = (before, part) =>
  assembled(headOf(before), [...partsOf(before).filter(({ name }) => name !== part.name), part])

const assembled = (head, parts) =>
  [head, ...parts.toSorted((one, other) => one.name.localeCompare(other.name)).map(({ text }) => text)]
    .map((text) => `${text.trim()}\n`)
    .join('\n')

const headOf = (page) => page.split('\n## ')[0]?.trim() || '# Proofs'
const partsOf = (page) =>
  page
    .split('\n## ')
    .slice(1)
    .map((text) => ({ name: nameOf(text), text: `## ${text}` }))
/** The heading up to its figure. */
const nameOf = (text) => text.split(/ \(|\n/)[0]

/** The part of a file: tests with figures or failures one by one, the others counted. */
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
