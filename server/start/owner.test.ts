// Owner: what root has written is given to the user of the directory, and nothing that only a link leads to.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { giveToOwnerIn } from './owner.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-owner-'))
afterAll(() => fs.rmSync(scratch, { recursive: true }))

test.runIf(process.getuid?.() === 0)('a link is given away, and what it leads to is not', () => {
  const [home, ofRoot] = [path.join(scratch, 'home'), path.join(scratch, 'of root')]
  for (const folder of [home, ofRoot]) fs.mkdirSync(folder)
  fs.writeFileSync(path.join(ofRoot, 'passwords'), '')
  fs.chownSync(home, 4321, 4322)
  fs.symlinkSync(ofRoot, path.join(home, 'lock'))
  fs.mkdirSync(path.join(home, 'restored'))
  fs.symlinkSync(ofRoot, path.join(home, 'restored', 'inside'))
  for (const name of ['lock', 'restored']) giveToOwnerIn(home, path.join(home, name))
  const owners = (...names: string[]) => names.map((name) => fs.lstatSync(path.join(scratch, name)).uid)
  expect(owners('home/lock', 'home/restored', 'home/restored/inside')).toEqual([4321, 4321, 4321])
  expect(owners('of root', 'of root/passwords')).toEqual([0, 0])
})
