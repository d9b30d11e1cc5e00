// Observations: the observations of a proof with another program, line by line: printed, and written to its part of docs/proofs.md.
import fs from 'node:fs'
import os from 'node:os'

/** Commands must run before anything is installed, so they have no types. */
const command = (file: string): Promise<unknown> => import(String(new URL(file, import.meta.url)))
const { pageWith } = (await command('proofs-page.mjs')) as {
  pageWith: (before: string, part: { name: string; text: string }) => string
}
const { madeOf } = (await command('proofs.mjs')) as { madeOf: () => string[] }

const page = 'docs/proofs.md'
const observations: string[] = []

export function observed(line: string) {
  observations.push(line)
  console.log(`- ${line}`)
}

/** Replaces the observations of the last run. */
export function writeObservations(name: string, command: string) {
  const ran = `\`${command}\` on Linux ${os.release()}:`
  const lines = [...madeOf(), ...observations.map((line) => `- ${line}`)]
  const before = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : ''
  fs.writeFileSync(page, pageWith(before, { name, text: `## ${name}\n\n${ran}\n\n${lines.join('\n')}` }))
  console.log(`Wrote ${page}`)
}
