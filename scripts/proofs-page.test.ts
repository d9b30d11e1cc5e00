// The page of proofs: a run of some files changes only their parts, and nothing removes what another command wrote.
import { expect, test } from 'vitest'

/** Commands must run before anything is installed, so they have no types. */
interface Writes {
  pageOf: (before: string, found: object, how: { made_of: string[]; isWhole: boolean }) => string
  pageWith: (before: string, part: { name: string; text: string }) => string
}
const { pageOf, pageWith } = (await import(String(new URL('proofs-page.mjs', import.meta.url)))) as Writes

const ran = (name: string, figures: string) => ({
  name: `/foyer/test/proofs/${name}.test.ts`,
  startTime: 0,
  endTime: 61_000,
  assertionResults: [
    { title: 'holds', status: 'passed', meta: { figures } },
    { title: 'holds, too', status: 'passed', meta: {} },
  ],
})
const report = (...testResults: ReturnType<typeof ran>[]) => ({ testResults, numPassedTests: 2, numFailedTests: 0 })
const other = '## Through a real openNDS\n\n- Seen\n'

test('a run of some files replaces their parts, a whole run all of them', () => {
  const first = pageOf(`# Proofs\n\n${other}`, report(ran('radius', '1')), { made_of: ['- Commit a'], isWhole: false })
  expect(first).toBe(
    `# Proofs\n\n## radius (61 s)\n\n- Commit a\n- holds: passed; 1\n- 1 tests without figures: passed\n\n${other}`,
  )
  const both = pageOf(first, report(ran('mutated', '2')), { made_of: ['- Commit b'], isWhole: false })
  expect(both.match(/^## .*$/gm)).toEqual(['## mutated (61 s)', '## radius (61 s)', '## Through a real openNDS'])
  const again = pageOf(both, report(ran('radius', '3')), { made_of: ['- Commit c'], isWhole: false })
  expect(again).toContain('- Commit b\n- holds: passed; 2')
  expect(again).toContain('- Commit c\n- holds: passed; 3')
  expect(again).not.toContain('- Commit a')
  const whole = pageOf(again, report(ran('radius', '4')), { made_of: ['- Commit d'], isWhole: true })
  expect(whole.match(/^## .*$/gm)).toEqual(['## radius (61 s)', '## Through a real openNDS'])
  expect(whole.match(/Commit/g)).toHaveLength(1)
  expect(whole.endsWith(other)).toBe(true)
})

test('the part of another command replaces its former one in place, and survives a whole run', () => {
  const before = `# Proofs\n\n## a (3 s)\n\n- old\n\n${other}\n## zeta (3 s)\n\n- old\n`
  const again = pageWith(before, { name: 'Through a real openNDS', text: other.replace('Seen', 'Seen again') })
  const headings = ['## a (3 s)', '## Through a real openNDS', '## zeta (3 s)']
  expect(again.match(/^## .*$/gm)).toEqual(headings)
  expect(again).not.toContain('- Seen\n')
  const whole = pageOf(again, report(ran('zeta', '1')), { made_of: ['- Commit a'], isWhole: true })
  expect(whole.match(/^## .*$/gm)).toEqual(['## Through a real openNDS', '## zeta (61 s)'])
  expect(whole).toContain('- Seen again\n')
  expect(whole).not.toContain('- old')
})

test('the score of a module replaces its former one, and survives a whole run', () => {
  const score = (file: string, found: string) => {
    const name = `mutations of ${file}`
    return { name, text: `## ${name} (9)\n\n- ${found}` }
  }
  const before = `# Proofs\n\n## radius (61 s)\n\n- holds: passed\n\n${other}`
  const both = pageWith(pageWith(before, score('policies.ts', 'first')), score('reach.ts', 'other'))
  const again = pageWith(both, score('policies.ts', 'second'))
  const headings = [
    '## mutations of policies.ts (9)',
    '## mutations of reach.ts (9)',
    '## radius (61 s)',
    other.split('\n')[0],
  ]
  expect(again.match(/^## .*$/gm)).toEqual(headings)
  expect(again).not.toContain('first')
  const whole = pageOf(again, report(ran('radius', '4')), { made_of: ['- Commit d'], isWhole: true })
  expect(whole.match(/^## .*$/gm)).toEqual(headings)
  expect(whole).toContain('- second')
})
