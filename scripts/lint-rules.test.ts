// The lint rules that security depends on: each is active, and finds what it is for.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-lint-'))
fs.copyFileSync('.oxlintrc.json', path.join(folder, '.oxlintrc.json'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The rules that this file would break in our project. */
function broken(file: string, source: string): string[] {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  fs.writeFileSync(path.join(folder, file), source)
  const args = [path.resolve('node_modules/oxlint/bin/oxlint'), '--format=json', file]
  let output: string
  try {
    output = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    // The exit code is 1 if it found something.
    output = (error as { stdout: string }).stdout
  }
  return (JSON.parse(output) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code)
}

test.each([
  ['server/jobs/reports.ts', "export const answer = await fetch('http://127.0.0.1')\n", 'no-restricted-globals'],
  ['server/jobs/socket.ts', "export const socket = new WebSocket('ws://127.0.0.1')\n", 'no-restricted-globals'],
  ['server/entities/made.ts', 'export const made = (text: string) => eval(text) as string\n', 'no-eval'],
  [
    'web/resources/page.tsx',
    'export const Page = ({ html }: { html: string }) => <p dangerouslySetInnerHTML={{ __html: html }} />\n',
    'no-danger',
  ],
])('%s breaks a rule', (file, source, rule) => {
  expect(broken(file, source)).toContainEqual(expect.stringContaining(rule))
})

test('harmless code is accepted', () => {
  expect(broken('server/jobs/harmless.ts', 'export const answer = 42\n')).toEqual([])
})
