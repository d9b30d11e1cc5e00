// Effects: loaded into Foyer before it starts, by a proof that kills it at every step. It counts what happens outside the process
// from a request on that has the header `kill-at`, and ends the process with SIGKILL when that number is reached.
//
// A moment is just before a statement, a write to the disk or a line to the mail server; for what makes something final, a commit or
// a rename, also just after it. Each is written to a file by its name, so that the last line says where the process ended. With
// EFFECTS_OF=writes, statements that only read are none, nor is the end of a transaction of such.
import fs from 'node:fs'
import { Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { isMainThread } from 'node:worker_threads'
import pg from 'pg'

type Any = (this: unknown, ...args: unknown[]) => unknown
type Functions = Record<string, Any>

const settings = process.env
const notes = fs.openSync(settings['EFFECTS_FILE'] ?? '', 'a')
const mail_port = Number(new URL(settings['SMTP_URL'] ?? 'smtp://localhost:0').port)
const writeNote = fs.writeSync

let kill_at: number | null = null
let passed = 0
let isOfInterest = (_name: string) => true
let armed = (_what: string | undefined) => {}

/**
 * Counts only some moments: those of a part of what the process does.
 * @param arm told of the header `kill-in` of each request that has `kill-at`
 */
export function countOnly(which: { isOfInterest: (name: string) => boolean; arm: (what: string | undefined) => void }) {
  ;({ isOfInterest, arm: armed } = which)
}

export function moment(name: string) {
  if (kill_at === null || !isOfInterest(name)) return
  passed++
  writeNote(notes, `${name}\n`)
  if (passed === kill_at) process.kill(process.pid, 'SIGKILL')
}

/** Replaces a function by a counting one, whether it returns a promise, calls back or returns a value. */
function between(
  owner: Functions,
  name: string,
  effectOf: (given: unknown[], of: object) => { effect: string; is_final: boolean } | null,
) {
  const original = owner[name]
  if (!original) throw new Error(`there is no ${name}`)
  owner[name] = function (...given) {
    const named = kill_at === null ? null : effectOf(given, this as object)
    if (!named) return original.apply(this, given)
    moment(`before ${named.effect}`)
    const answer = original.apply(this, given)
    if (named.is_final && answer instanceof Promise)
      return answer.then((value: unknown) => {
        moment(`after ${named.effect}`)
        return value
      })
    return answer
  }
}

function countRequests() {
  const { emit } = Server.prototype
  Server.prototype.emit = function (this: Server, event: string, ...given: unknown[]) {
    const [request] = given as [{ headers?: Record<string, string> } | undefined]
    const asked = event === 'request' ? request?.headers?.['kill-at'] : undefined
    if (asked !== undefined) {
      passed = 0
      kill_at = asked === 'never' ? null : Number(asked)
      armed(request?.headers?.['kill-in'])
    }
    return (emit as Any).call(this, event, ...given) as boolean
  }
}

const shortened = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 90)

/** Looks for keys, jobs and due work: sent every few seconds, whatever is under way. What is done with what they find is counted. */
const looks =
  /door_key_ids|door_due_kinds|door_due_customers|door_extend_leases|^WITH next AS \( SELECT j\.id FROM pgboss\./

/** What changes nothing by itself; the functions before a customer is known may. */
const reads = /^(begin|set|select)\b(?!.* door_)/i
const only_writes = settings['EFFECTS_OF'] === 'writes'
/** Connections that have changed something since their last commit. */
const changed = new WeakSet<object>()

function countStatements() {
  between(pg.Client.prototype as unknown as Functions, 'query', ([config], connection) => {
    const { text } = (typeof config === 'string' ? { text: config } : config) as { text?: string }
    const effect = shortened(text ?? 'a statement without a text')
    const is_final = /^commit\b/i.test(effect)
    if (looks.test(effect) || (only_writes && reads.test(effect))) return null
    if (only_writes && is_final && !changed.delete(connection)) return null
    if (!is_final) changed.add(connection)
    return { effect, is_final }
  })
}

/** The last two names of a path, without random parts. */
const nameOf = (file: unknown) =>
  String(file)
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/[0-9a-f-]{36}|[0-9a-f]{64}|(?<=foyer-upload-)[\w-]+/g, '…')
const forWriting = (flags: unknown) => typeof flags === 'string' && /[wa+]/.test(flags)

async function countFiles() {
  const promised = fs.promises as unknown as Functions
  for (const name of ['mkdir', 'mkdtemp', 'rename', 'rm', 'unlink', 'writeFile'])
    between(promised, name, ([file]) => ({ effect: `${name} ${nameOf(file)}`, is_final: name === 'rename' }))
  between(promised, 'open', ([file, flags]) =>
    forWriting(flags) ? { effect: `open ${nameOf(file)}`, is_final: false } : null,
  )
  const any = await fs.promises.open(import.meta.filename)
  const handle = Object.getPrototypeOf(any) as Functions
  await any.close()
  for (const name of ['writeFile', 'appendFile', 'write', 'sync'])
    between(handle, name, () => ({ effect: `${name} of an open file`, is_final: name === 'sync' }))
  // What a stream writes with; the first two are the console and the log.
  const called = fs as unknown as Functions
  between(called, 'open', ([file, flags]) =>
    forWriting(flags) ? { effect: `open ${nameOf(file)}`, is_final: false } : null,
  )
  for (const name of ['write', 'writev'])
    between(called, name, ([fd]) => (Number(fd) > 2 ? { effect: `${name} of a stream`, is_final: false } : null))
  syncBuiltinESMExports()
}

function countMail() {
  const { write } = Duplex.prototype
  Socket.prototype.write = function (this: Socket, ...given: unknown[]) {
    if (mail_port !== 0 && this.remotePort === mail_port)
      moment(`before mail ${shortened(String(given[0])).replace(/\d+/g, '#')}`)
    return (write as Any).apply(this, given) as boolean
  }
}

// Threads and processes that read uploads write nothing.
if (isMainThread) {
  countRequests()
  countStatements()
  await countFiles()
  countMail()
}
