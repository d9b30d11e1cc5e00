// RADIUS apart: RADIUS in a process of its own beside the node's other roles, so that no report or upload of theirs keeps a gateway
// waiting. It ends with the node, and is started again where it ends by itself.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { MetricOfProcess } from '#server/watch/metrics.ts'
import type { LoginUrls } from '#server/db/logins.ts'
import { textOf } from '#server/errors/thrown.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { Config } from '#server/start/config.ts'
import type { Log } from '#server/watch/log.ts'

/** What the process is told: first what it works with, then where to begin. */
export type Order = { open: { config: Config; urls: LoginUrls } } | 'listen' | { metrics: number } | 'close'
/** What it tells. A refusal is a sentence for the operator; `answers` comes each second. */
export type Word =
  'listening' | { refused: string } | { answers: boolean } | { metrics: number; found: MetricOfProcess[] }

export interface RadiusApart {
  /** @throws CannotStart for a port that cannot be had */
  listen(): Promise<void>
  /** False while the process is gone, says nothing, or says that it does not answer. */
  answers(): boolean
  /** Empty while it says nothing. */
  metrics(): Promise<MetricOfProcess[]>
  close(): Promise<void>
}

const program = fileURLToPath(import.meta.resolve('#server/radius-process.ts'))
/** The word of each second may come late on a busy machine. */
const heard_within_ms = 10_000
const metrics_wait_ms = 2000
/** How long packets that were received may take to be answered. */
const close_wait_ms = 10_000
/** Between two starts: the first at once, then longer, as what ends it may last. */
const rest_max_ms = 30_000
const lived_long_ms = 60_000

export function openRadiusApart(
  config: Config,
  { appUrl, authUrl, guestUrl, directUrl = null, readUrl = null }: LoginUrls,
  log: Log,
): RadiusApart {
  const listening = Promise.withResolvers<void>()
  // Whoever listens hears of it; until then nobody need.
  listening.promise.catch(() => {})
  const closing = new AbortController()
  let child: ChildProcess
  let mayListen = false
  let hasListened = false
  let heard = { answers: false, at: 0 }
  const asked = new Map<number, (found: MetricOfProcess[]) => void>()

  const tell = (order: Order) => void (child.connected && child.send(order, () => {}))
  const hear = (word: Word) => {
    if (word === 'listening') {
      hasListened = true
      listening.resolve()
    } else if ('refused' in word) {
      if (hasListened) log.error({ reason: word.refused }, 'RADIUS cannot listen again')
      else listening.reject(new CannotStart(word.refused))
    } else if ('answers' in word) {
      heard = { answers: word.answers, at: performance.now() }
    } else {
      asked.get(word.metrics)?.(word.found)
    }
  }

  const start = () => {
    child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.on('message', (word: Word) => hear(word))
    tell({ open: { config, urls: { appUrl, authUrl, guestUrl, directUrl, readUrl } } })
    if (mayListen) tell('listen')
  }
  const keep = async () => {
    for (let ended = 0; !closing.signal.aborted; ended++) {
      const began_at = performance.now()
      const { code, signal } = await endOf(child)
      heard = { answers: false, at: 0 }
      if (closing.signal.aborted) return
      if (!hasListened) return listening.reject(new Error(`RADIUS ended while starting: ${textOf(signal ?? code)}`))
      log.error({ code, signal }, 'RADIUS ended unexpectedly and is being restarted')
      if (performance.now() - began_at > lived_long_ms) ended = 0
      const rest_ms = Math.min(rest_max_ms, ended * 1000)
      await sleep(rest_ms, undefined, { signal: closing.signal }).catch(() => {})
      if (!closing.signal.aborted) start()
    }
  }
  start()
  const kept = keep()

  return {
    listen() {
      mayListen = true
      tell('listen')
      return listening.promise
    },
    answers: () => heard.answers && performance.now() - heard.at < heard_within_ms,
    async metrics() {
      const id = Math.max(0, ...asked.keys()) + 1
      const { promise, resolve } = Promise.withResolvers<MetricOfProcess[]>()
      asked.set(id, resolve)
      tell({ metrics: id })
      const found = await Promise.race([promise, sleep(metrics_wait_ms, [], { ref: false })])
      asked.delete(id)
      return found
    },
    async close() {
      closing.abort()
      tell('close')
      const killed = setTimeout(() => child.kill('SIGKILL'), close_wait_ms)
      await kept
      clearTimeout(killed)
    },
  }
}

/** A process that could not be started has an error for a code. */
async function endOf(child: ChildProcess): Promise<{ code: unknown; signal: unknown }> {
  if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, signal: child.signalCode }
  const [code, signal] = await once(child, 'exit').catch((error: NodeJS.ErrnoException) => [error.code, null])
  return { code, signal }
}
