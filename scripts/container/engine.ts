// Engine: podman with its own folder for all its data, in its own mount and network namespaces, so that its bridge and ports do not
// touch those of the machine. Only downloads go through the machine's network.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** The image that the Containerfile is built from. */
const base = 'docker.io/library/debian:12-slim'
const text_max_bytes = 32 * 1024 * 1024
const run = promisify(execFile)

/** Says what is missing on this machine; null if nothing is. */
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

/** Runs this program again, in namespaces that end with it. @returns its exit code */
export function runIsolated(env: Record<string, string>): number {
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const MACHINE_NETWORK = `/proc/${process.pid}/ns/net`
  const { status } = spawnSync('unshare', ['--mount', '--net', ...program], {
    stdio: 'inherit',
    env: { ...process.env, ...env, MACHINE_NETWORK },
  })
  return status ?? 1
}

/** The limits are low enough for a root user who may not raise them; cgroups are not used. */
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

/** From here on, every podman command uses the folder. */
export function openEngine(folder: string) {
  for (const name of ['tmp', 'volumes', 'networks', 'images', 'run']) fs.mkdirSync(path.join(folder, name))
  process.env['CONTAINERS_CONF'] = written(folder, 'containers.conf', configOf(folder))
  process.env['CONTAINERS_STORAGE_CONF'] = written(folder, 'storage.conf', storageOf(folder))
  // crun refuses a machine with both versions of cgroups.
  execFileSync('mount', ['-t', 'cgroup2', 'cgroup2', '/sys/fs/cgroup'])
  // netavark keeps addresses here, whatever its settings.
  fs.mkdirSync('/run/containers', { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/containers'])
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
}

/** @throws {Error} with its whole output */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await run('podman', args, { maxBuffer: text_max_bytes })
  return stdout.trim()
}

/** @throws {Error} with its whole output */
export async function compose(file: string, ...args: string[]): Promise<void> {
  // It exits with 0 even if podman failed.
  const { stdout, stderr } = await run('podman-compose', ['-f', file, ...args], { maxBuffer: text_max_bytes })
  const output = `${stdout}${stderr}`
  if (/exit code: [1-9]/.test(output)) throw new Error(`podman-compose ${args.join(' ')}: ${output}`)
}

/** Runs a command in the machine's own network, and shows its output. */
async function outside(command: string, ...args: string[]) {
  const child = spawn('nsenter', [`--net=${process.env['MACHINE_NETWORK']}`, command, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}`)
}

/** From the registry, or built from Debian's packages if none is reachable. @returns a description of its origin */
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

/** The machine's own mirror if it has this release, or else debootstrap's default. */
async function mirror(): Promise<string[]> {
  const of_release = ['indextargets', '--format', '$(SITE)', 'Codename: bookworm', 'Origin: Debian']
  const sites = await answerOf('apt-get', of_release)
  return sites.split('\n').slice(0, 1).filter(Boolean)
}

/** Apt and npm use the machine's sources and certificates; none of that stays in the image. */
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
  // Only Docker's format has health checks. Steps run in a chroot that shares the machine's network.
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

/** The program's output; empty if it fails or is not installed. */
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
