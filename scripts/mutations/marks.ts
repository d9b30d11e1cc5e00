// Listens in each file of tests, and notes which marks it passes (marks.mjs), in a file of the folder `MARKS`.

import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'

const passed = new Set<number>()
Object.assign(globalThis, { passing: (...ids: number[]) => ids.forEach((id) => passed.add(id)) })

afterAll(() => {
  const file = expect.getState().testPath ?? ''
  const name = createHash('sha256').update(file).digest('hex')
  fs.writeFileSync(
    path.join(process.env['MARKS'] ?? '', `${name}.json`),
    JSON.stringify({ file: path.relative(process.cwd(), file), ids: [...passed] }),
  )
})
