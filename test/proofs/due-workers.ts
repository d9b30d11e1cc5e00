// Due workers: two nodes that do what is due, as an operator starts them beside those that serve people. Whichever takes the work that a
// proof is about is killed in it, the other one goes on, and a third one is started in the place of the first.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { vi } from 'vitest'
import type { TestFoyer } from '#test/foyer.ts'
import { startFoyer, type Foyer } from '#test/process.ts'
import { countedProgram } from './counted-foyer.ts'
import type { Sought } from './due-work-effects.ts'

interface Worker extends Foyer {
  notes: string
}

export type DueWorkers = Awaited<ReturnType<typeof openDueWorkers>>

/** @param env what the other sides are reached by */
export async function openDueWorkers({ database, data_dir, storage }: TestFoyer, env: Record<string, string>) {
  let serial = 0
  const start = async (): Promise<Worker> => {
    const notes = path.join(data_dir, `moments-${++serial}`)
    const settings = {
      ROLES: 'jobs',
      DATA_DIR: data_dir,
      STORAGE_URL: pathToFileURL(storage).href,
      DATABASE_URL: database.appUrl,
      DATABASE_AUTH_URL: database.authUrl,
      DATABASE_GUEST_URL: database.guestUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: database.secretKey,
      DISK_RESERVE_MB: '0',
      EFFECTS_FILE: notes,
      EFFECTS_OF: 'writes',
      ...env,
    }
    return { ...(await startFoyer(settings, countedProgram('./test/proofs/due-work-effects.ts'))), notes }
  }
  const isGone = ({ child }: Worker) => child.exitCode !== null || child.signalCode !== null
  const tell = async ({ url }: Worker, headers: Record<string, string>) => {
    await fetch(`${url}/healthz`, { headers })
  }
  let workers: Worker[] = []
  /** Those that are being started. */
  let coming = [start(), start()]

  return {
    /**
     * Has a piece done, and kills whichever of them takes it, at a step of it. It is not killed if there are fewer steps.
     * @param isDone whether the piece is, once somebody has taken it
     */
    async killAt(
      step: number,
      sought: Sought,
      { begin, isDone }: { begin: () => Promise<unknown>; isDone: (about_id: number) => Promise<boolean> },
    ) {
      workers = [...workers.filter((one) => !isGone(one)), ...(await Promise.all(coming))]
      coming = []
      for (const { notes } of workers) fs.writeFileSync(notes, '')
      const armed = { 'kill-at': String(step), 'kill-in': JSON.stringify(sought) }
      await Promise.all(workers.map((one) => tell(one, armed)))
      await begin()
      const momentsOf = ({ notes }: Worker) => fs.readFileSync(notes, 'utf8').split('\n').filter(Boolean)
      const taken = async () => {
        const one = workers.find((other) => momentsOf(other).length > 0)
        const about_id = one && Number(/^taken (\d+)$/.exec(momentsOf(one)[0] ?? '')?.[1])
        return one && about_id !== undefined && (isGone(one) || (await isDone(about_id))) ? { one, about_id } : null
      }
      const { one, about_id } = await vi.waitFor(async () => (await taken()) ?? Promise.reject(new Error('it waits')), {
        timeout: 120_000,
        interval: 20,
      })
      // It counts nothing more from here on, unless it was killed in the last step.
      await Promise.allSettled(workers.map((other) => tell(other, { 'kill-at': 'never' })))
      const moments = momentsOf(one)
      if (moments.length >= step) await vi.waitUntil(() => isGone(one), { timeout: 120_000 })
      if (isGone(one)) coming = [start()]
      return { about_id, moments, is_killed: isGone(one) }
    },
    close: () => Promise.all(workers.map((one) => one.kill())),
  }
}
