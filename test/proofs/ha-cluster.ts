// HA cluster: the database of deploy/ha, brought up by its own script, with a network for each of its two servers, so that one can be
// killed, frozen or cut off as a machine is. Needs root for the networks; its processes run as postgres.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keysOf } from '#contract/keys.ts'

const script = path.join(import.meta.dirname, '../../deploy/ha/run.sh')
const needed = [
  ['patroni', '--version'],
  ['etcd', '--version'],
  ['haproxy', '-v'],
  ['/usr/lib/postgresql/15/bin/postgres', '--version'],
  ['ip', '-V'],
]
/** Why it cannot be brought up here; empty where it can. */
export const missing =
  process.getuid?.() === 0
    ? needed
        .filter(([program = '', ...args]) => spawnSync(program, args).status !== 0)
        .map(([program = '']) => path.basename(program))
        .join(', ')
    : 'root'

export type ServerName = 'a' | 'b'
export const faults = ['killed', 'frozen', 'cut off'] as const
export type Fault = (typeof faults)[number]

/** Of RFC 2544, for tests of networks. Names and addresses are those of this process: others may run beside it. */
const network = `198.18.${1 + (process.pid % 250)}`
const here = `${network}.1`
const bridge = `ha-${process.pid}`
const servers: Record<ServerName, { host: string; namespace: string; cable: string }> = {
  a: { host: `${network}.11`, namespace: `${bridge}-a`, cable: `${bridge}-a` },
  b: { host: `${network}.12`, namespace: `${bridge}-b`, cable: `${bridge}-b` },
}
const names = keysOf(servers)
const ports = { postgres: 5432, rest: 8008, proxy: 5430 }

const ip = (line: string) =>
  execFileSync('ip', line.split(' '), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function makeNetwork() {
  ip(`link add ${bridge} type bridge`)
  ip(`addr add ${here}/24 dev ${bridge}`)
  ip(`link set ${bridge} up`)
  for (const { host, namespace, cable } of Object.values(servers)) {
    ip(`netns add ${namespace}`)
    ip(`link add ${cable} type veth peer name eth0 netns ${namespace}`)
    ip(`link set ${cable} master ${bridge} up`)
    ip(`-n ${namespace} addr add ${host}/24 dev eth0`)
    ip(`-n ${namespace} link set eth0 up`)
    ip(`-n ${namespace} link set lo up`)
  }
}

function removeNetwork() {
  const there = ip('netns list')
  for (const name of names) {
    const { namespace } = servers[name]
    if (!there.split(/\s/).includes(namespace)) continue
    signal(name, 'SIGKILL')
    ip(`netns del ${namespace}`)
  }
  spawnSync('ip', ['link', 'del', bridge])
}

const idsIn = (name: ServerName) => ip(`netns pids ${servers[name].namespace}`).split('\n').filter(Boolean).map(Number)
/** All processes of a server, as what happens to a machine happens to all of them; those that have come meanwhile, too. */
function signal(name: ServerName, what: NodeJS.Signals) {
  const reached = new Set<number>()
  for (;;) {
    const more = idsIn(name).filter((id) => !reached.has(id))
    if (more.length === 0) return
    for (const id of more) {
      reached.add(id)
      try {
        process.kill(id, what)
      } catch {
        // It has ended by itself.
      }
    }
  }
}

export async function startCluster(folder: string) {
  makeNetwork()
  fs.chmodSync(folder, 0o711)
  const env = {
    ...process.env,
    DCS_HOST: here,
    PROXY_HOST: here,
    PROXY_PORT: String(ports.proxy),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`${name.toUpperCase()}_HOST`, servers[name].host],
        [`${name.toUpperCase()}_PORT`, String(ports.postgres)],
        [`${name.toUpperCase()}_REST_PORT`, String(ports.rest)],
      ]),
    ),
  }
  const running = new Set<ChildProcess>()
  function begin(part: ServerName | 'etcd' | 'proxy') {
    const whole = [script, folder, part]
    const [program, args] =
      part in servers
        ? ['ip', ['netns', 'exec', servers[part as ServerName].namespace, ...whole]]
        : [script, [folder, part]]
    const log = fs.openSync(path.join(folder, `${part}.log`), 'a')
    running.add(spawn(program, args, { env, stdio: ['ignore', log, log], detached: true }))
    fs.closeSync(log)
  }
  const asked = (name: ServerName, what: string) =>
    fetch(`http://${servers[name].host}:${ports.rest}/${what}`, { signal: AbortSignal.timeout(5000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  /** Of the logs, for whoever has to see why. */
  const ends = () =>
    names
      .map((name) =>
        fs
          .readFileSync(path.join(folder, `${name}.log`), 'utf8')
          .split('\n')
          .slice(-20)
          .join('\n'),
      )
      .join('\n\n')
  async function until(found: () => Promise<boolean>, what: string, patience_s = 120) {
    for (let waited = 0; !(await found()); waited++) {
      if (waited > patience_s * 2) throw new Error(`The cluster was not ${what} within ${patience_s} s.\n${ends()}`)
      await sleep(500)
    }
  }
  function stop() {
    removeNetwork()
    for (const { pid } of running)
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL')
      } catch {
        // It has ended already.
      }
  }

  try {
    for (const part of ['etcd', 'a'] as const) begin(part)
    await until(() => asked('a', 'primary'), 'there')
    for (const part of ['b', 'proxy'] as const) begin(part)
    await until(() => asked('b', 'sync'), 'whole')
  } catch (error) {
    stop()
    throw error
  }
  const password = fs.readFileSync(path.join(folder, 'password'), 'utf8')
  const login = `postgres://postgres:${password}@`
  const at = (name: ServerName) => `${servers[name].host}:${ports.postgres}`

  return {
    /** What DATABASE_URL may be. */
    urls: {
      HAProxy: `${login}${here}:${ports.proxy}/foyer`,
      // The copy first, by which nothing may be known.
      'both hosts': `${login}${at('b')},${at('a')}/foyer`,
    },
    async writer(): Promise<ServerName> {
      for (const name of names) if (await asked(name, 'primary')) return name
      throw new Error('nobody writes')
    },
    harm(name: ServerName, how: Fault) {
      if (how === 'killed') signal(name, 'SIGKILL')
      else if (how === 'frozen') signal(name, 'SIGSTOP')
      else ip(`link set ${servers[name].cable} down`)
    },
    /** Until one follows the other, and a commit waits for it again. */
    async mend(name: ServerName, how: Fault) {
      if (how === 'killed') begin(name)
      else if (how === 'frozen') signal(name, 'SIGCONT')
      else ip(`link set ${servers[name].cable} up`)
      await until(
        async () => (await asked('a', 'sync')) || (await asked('b', 'sync')),
        `whole again, with ${name} back`,
      )
    },
    stop,
  }
}
export type Cluster = Awaited<ReturnType<typeof startCluster>>
