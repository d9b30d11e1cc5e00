// Demo: fills an empty installation once, tells its logins again, and leaves one that is in use alone.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test(
  'the demo fills an empty installation, prints its logins each time and leaves another installation alone',
  { timeout: 600_000 },
  async () => {
    const data = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-demo-'))
    const demo = () =>
      run(process.execPath, ['--import', './scripts/tsx.mjs', 'scripts/demo.ts'], {
        env: { ...process.env, DATA_DIR: data, DATABASE_URL: '' },
      })
    try {
      const { stdout } = await demo()
      expect(stdout.match(/@harbourvale\.example/g)).toHaveLength(8)
      expect(stdout.match(/ foyer_[\w-]+/g)).toHaveLength(3)
      const sites = JSON.parse(fs.readFileSync(path.join(data, 'demo.json'), 'utf8')).sites as { holders: unknown[] }[]
      expect(sites.length).toBeGreaterThan(10)
      for (const { holders } of sites) expect(holders.length).toBeGreaterThan(0)
      const again = await demo()
      expect(stdout).toContain(again.stdout.trim())
      fs.rmSync(path.join(data, 'demo.json'))
      await expect(demo()).rejects.toThrow(/needs an empty installation/)
    } finally {
      fs.rmSync(data, { recursive: true, force: true })
    }
  },
)
