// Load: sends requests on many connections at once, and measures the processor time of the server and its database.
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'

export interface Target {
  origin: string
  process_id: number
  call: string
  /** Posted as JSON; without one a GET is sent. */
  body?: object
  tokens?: readonly string[]
}

export interface Load {
  answered: number
  /** Processor time for each answer, in milliseconds. */
  cpu_ms: number
  server_ms: number
  database_ms: number
}

const connections = 20

/** Sends requests on all connections for `for_ms`. */
export async function load(
  { origin, process_id, call, body, tokens = [] }: Target,
  postmaster: number,
  for_ms: number,
): Promise<Load> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const payload = body && JSON.stringify(body)
  const before = { server: cpuOf(process_id), database: cpuOfChildren(postmaster) }
  const ends_at = performance.now() + for_ms
  let answered = 0
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const headers = payload && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        'app-context': 'customer',
        authorization: `Bearer ${tokens[answered % tokens.length] ?? ''}`,
      }
      const method = payload ? 'POST' : 'GET'
      const request = http.request(`${origin}${call}`, { method, agent, headers: headers || {} }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => {
          answered++
          if (response.statusCode === 200) resolve()
          else reject(new Error(`${call} answered ${response.statusCode}: ${text}`))
        })
      })
      request.on('error', reject)
      request.end(payload)
    })
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < ends_at) await ask()
    }),
  )
  agent.destroy()
  const server_ms = (cpuOf(process_id) - before.server) / answered
  const database_ms = (cpuOfChildren(postmaster) - before.database) / answered
  return { answered, server_ms, database_ms, cpu_ms: server_ms + database_ms }
}

/** Processor time that a process has used, in milliseconds; 0 without /proc. */
export function cpuOf(process_id: number): number {
  try {
    const fields = fs.readFileSync(`/proc/${process_id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // utime and stime, in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

/** The same for all of PostgreSQL's connections, which are children of the postmaster. */
export function cpuOfChildren(postmaster: number): number {
  try {
    const children = fs.readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
    return children.reduce((sum, child) => sum + cpuOf(Number(child)), 0)
  } catch {
    return 0
  }
}

/** The postmaster's process id, for the folder that was passed to `startEmbedded`. */
export function postmasterOf(directory: string): number {
  const [data = ''] = fs.readdirSync(directory).filter((name) => /^pg\d+$/.test(name))
  return Number.parseInt(fs.readFileSync(path.join(directory, data, 'postmaster.pid'), 'utf8'))
}
