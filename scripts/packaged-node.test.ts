// The packaged Node: what npm hands over is run only if it is the archive that Foyer was tried with.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type Fetches = { fetchNode: () => Promise<string | null> }
const { fetchNode } = (await import(String(new URL('packaged-node.mjs', import.meta.url)))) as Fetches

const here = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-another-npm-'))
const left = () => (fs.existsSync('.node') ? fs.readdirSync('.node') : [])

/** In npm's place, a program that puts `content` where npm is told to put the archive; null: it fails. */
function npmHandsOver(content: string | null) {
  const program = path.join(here, 'npm.cjs')
  fs.writeFileSync(
    program,
    content === null
      ? 'process.exit(1)'
      : `require('node:fs').writeFileSync(process.argv[5] + '/node.tgz', ${JSON.stringify(content)})`,
  )
  vi.stubEnv('npm_execpath', program)
}

let before: string[]
beforeEach(() => (before = left()))
afterEach(() => vi.unstubAllEnvs())

test('an archive that is another one is refused, and nothing of it stays', async () => {
  npmHandsOver('no Node')
  expect(await fetchNode()).toBe('node.tgz is not the one that Foyer was tried with.')
  expect(left()).toEqual(before)
})

test('where npm hands over nothing, that is said', async () => {
  npmHandsOver(null)
  expect(await fetchNode()).toMatch(/^Node could not be fetched/)
  expect(left()).toEqual(before)
})
