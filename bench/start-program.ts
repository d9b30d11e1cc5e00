// Start program: runs a program of this repository as a separate process.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Resolves once the program prints its address. With `BENCH_PROFILE`, a CPU profile of Foyer is written to that folder. */
export async function startProgram(file: string, env: Record<string, string>) {
  const profile = process.env['BENCH_PROFILE']
  const flags = profile && file === 'server/main.ts' ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const server = spawn(process.execPath, ['--import', './scripts/tsx.mjs', ...flags, file], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    // Its log is written to a file, as in production.
    stdio: ['ignore', 'pipe', fs.openSync(path.join(os.tmpdir(), 'foyer-bench.log'), 'w')],
  })
  const origin = await new Promise<string>((resolve, reject) => {
    server.once('exit', () => reject(new Error(`${file} did not start`)))
    server.stdout?.setEncoding('utf8').on('data', (line: string) => {
      const address = /ready at (\S+)/.exec(line)?.[1]
      if (address) resolve(address.replace('localhost', '127.0.0.1'))
    })
  })
  const stop = async () => {
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('exit', resolve))
  }
  return { origin, process_id: server.pid ?? 0, stop }
}
