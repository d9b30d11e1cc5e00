// Engine: podman with a folder of its own for all that it keeps, in mounts and a network of its own: its bridge and its ports are
// none of this machine's. Only what fetches something goes through the machine's network.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** As the Containerfile names it. */
const base = 'docker.io/library/debian:12-slim'
const text_max_bytes = 32 * 1024 * 1024
const run = promisify(execFile)

/** Null: nothing. */
export function missingHere(): string | null {
  if (process.getuid?.() !== 0) return 'Mounts and a network of its own need root.'
  const needed = ['podman', 'podman-compose', 'crun', 'netavark', 'iptables', 'debootstrap']
  const missing = needed.filter((name) => !isThere(name))
  if (missing.length === 0) return null
  return `Not installed: ${missing.join(', ')}. On Debian: apt-get install ${needed.join(' ')} aardvark-dns`
}

function isThere(name: string): boolean {
  const places = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/lib/podman', '/usr/libexec/podman']
  return places.some((place) => fs.existsSync(path.join(place, name)))
}

/** Runs this program again, in mounts and a network that end with it. @returns its exit code */
export function runApart(env: Record<string, string>): number {
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const MACHINE_NETWORK = `/proc/${process.pid}/ns/net`
  const { status } = spawnSync('unshare', ['--mount', '--net', ...program], {
    stdio: 'inherit',
    env: { ...process.env, ...env, MACHINE_NETWORK },
  })
  return status ?? 1
}

/** Limits of processes are low enough for a root that may not raise its own; groups of processes are left to nobody. */
const configOf = (folder: string) => `
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
runtime = "crun"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "${folder}/tmp"
volume_path = "${folder}/volumes"
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
`
const storageOf = (folder: string) => `
[storage]
driver = "overlay"
graphroot = "${folder}/images"
runroot = "${folder}/run"
`

/** Every podman from here on is that of the folder. */
export function openEngine(folder: string) {
  for (const name of ['tmp', 'volumes', 'networks', 'images', 'run']) fs.mkdirSync(path.join(folder, name))
  process.env['CONTAINERS_CONF'] = written(folder, 'containers.conf', configOf(folder))
  process.env['CONTAINERS_STORAGE_CONF'] = written(folder, 'storage.conf', storageOf(folder))
  // crun refuses a machine that has both kinds of cgroups.
  execFileSync('mount', ['-t', 'cgroup2', 'cgroup2', '/sys/fs/cgroup'])
  // Where netavark keeps addresses, whatever it is told.
  fs.mkdirSync('/run/containers', { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/containers'])
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
}

/** @throws {Error} with all that it said */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await run('podman', args, { maxBuffer: text_max_bytes })
  return stdout.trim()
}

/** @throws {Error} with all that it said */
export async function compose(file: string, ...args: string[]): Promise<void> {
  // It ends with 0 whatever podman ended with.
  const { stdout, stderr } = await run('podman-compose', ['-f', file, ...args], { maxBuffer: text_max_bytes })
  const said = `${stdout}${stderr}`
  if (/exit code: [1-9]/.test(said)) throw new Error(`podman-compose ${args.join(' ')}: ${said}`)
}

/** In the machine's own network; what it says is seen. */
async function outside(command: string, ...args: string[]) {
  const child = spawn('nsenter', [`--net=${process.env['MACHINE_NETWORK']}`, command, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}`)
}

/** From the registry, or made of Debian's packages where none is reachable. @returns which of both */
export async function getBase(folder: string): Promise<string> {
  try {
    await outside('podman', 'pull', '--quiet', base)
    return 'from its registry'
  } catch {
    const root = path.join(folder, 'base')
    await outside('debootstrap', '--variant=minbase', 'bookworm', root, ...(await mirror()))
    await outside('sh', '-c', 'tar -C "$0" -c . | podman import --quiet - "$1"', root, base)
    return "made by debootstrap of Debian's packages, as no registry was reachable"
  }
}

/** The machine's own, where it is of this release; else debootstrap knows one. */
async function mirror(): Promise<string[]> {
  const of_release = ['indextargets', '--format', '$(SITE)', 'Codename: bookworm', 'Origin: Debian']
  const sites = await answerOf('apt-get', of_release)
  return sites.split('\n').slice(0, 1).filter(Boolean)
}

/** Apt and npm fetch from where this machine's do, and trust what it trusts; nothing of that stays in the image. */
export async function build(folder: string, { context, file, name }: { context: string; file: string; name: string }) {
  const apt = (await answerOf('apt-config', ['dump'])).split('\n').filter((line) => line.startsWith('Acquire::'))
  const npm = [`registry=${await answerOf('npm', ['config', 'get', 'registry'])}`]
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  const mounts = [`${written(folder, 'apt.conf', `${apt.join('\n')}\n`)}:/etc/apt/apt.conf.d/99machine:ro`]
  if (authorities) {
    mounts.push(`${authorities}:/run/authorities.crt:ro`)
    npm.push('cafile=/run/authorities.crt')
  }
  mounts.push(`${written(folder, 'npmrc', `${npm.join('\n')}\n`)}:/root/.npmrc:ro`)
  // A health check is of Docker's format alone. Steps run in a plain root that shares the machine's network.
  const how = ['--format', 'docker', '--pull=never', '--isolation', 'chroot', '--network', 'host']
  await outside(
    'podman',
    'build',
    ...how,
    ...mounts.flatMap((mount) => ['--volume', mount]),
    '-f',
    file,
    '-t',
    name,
    context,
  )
}

/** Empty where the machine has no such program. */
async function answerOf(command: string, args: string[]): Promise<string> {
  try {
    return (await run(command, args)).stdout.trim()
  } catch {
    return ''
  }
}

function written(folder: string, name: string, text: string): string {
  const file = path.join(folder, name)
  fs.writeFileSync(file, text)
  return file
}
