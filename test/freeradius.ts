// FreeRADIUS under test: Debian's FreeRADIUS with the configuration in deploy/freeradius, and its client `radclient`.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '#server/start/free-port.ts'

const module_rest = '/usr/lib/freeradius/rlm_rest.so'
const installed = fs.existsSync(module_rest) && spawnSync('radclient', ['-v']).status === 0
/** What these tests need and cannot find; empty if nothing is missing. */
export const missing = installed ? '' : 'not installed (apt-get install freeradius freeradius-rest freeradius-utils)'

const deployed = path.join(import.meta.dirname, '../deploy/freeradius')
const replaced = (settings: string, values: Record<string, string | number>) =>
  Object.entries(values).reduce((text, [name, value]) => {
    const line = new RegExp(`^${name} = .*$`, 'm')
    if (!line.test(text)) throw new Error(`deploy/freeradius/settings.conf has no ${name}`)
    return text.replace(line, `${name} = ${value}`)
  }, settings)

/** Started like Debian's unit starts it, with its own settings. */
export async function openFreeradius({ foyer_url, foyer_token }: { foyer_url: string; foyer_token: string }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-freeradius-'))
  const first = await freePort(2)
  const ports = { access: first, accounting: first + 1 }
  const settings = replaced(fs.readFileSync(path.join(deployed, 'settings.conf'), 'utf8'), {
    foyer_url: `"${foyer_url}"`,
    foyer_token: `"${foyer_token}"`,
    listen_address: '127.0.0.1',
    access_port: ports.access,
    accounting_port: ports.accounting,
  })
  // FreeRADIUS refuses a configuration that other users can write.
  fs.writeFileSync(path.join(folder, 'settings.conf'), settings, { mode: 0o600 })
  for (const name of ['radiusd.conf', 'dictionary']) {
    fs.copyFileSync(path.join(deployed, name), path.join(folder, name))
    fs.chmodSync(path.join(folder, name), 0o600)
  }
  const server = spawn('/usr/sbin/freeradius', ['-f', '-l', 'stdout', '-d', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Ready to process requests')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`FreeRADIUS did not start: ${output}`)))
  })

  return {
    ports,
    process_id: server.pid ?? 0,
    /** What it has logged so far. */
    log: () => output,
    async close() {
      const gone = once(server, 'exit')
      server.kill('SIGTERM')
      await gone
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type TestFreeradius = Awaited<ReturnType<typeof openFreeradius>>

/** `3309 28 integer`: the vendor, the number and the type of each attribute that FreeRADIUS knows, by its name. */
export function attributesKnown(): Map<string, string> {
  const known = new Map<string, string>()
  const vendors = new Map<string, string>()
  function read(file: string) {
    let vendor = '0'
    for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
      const [word = '', name = '', value = '', type = ''] = line.trim().split(/\s+/)
      if (word.startsWith('$INCLUDE') && fs.existsSync(path.join(path.dirname(file), name)))
        read(path.join(path.dirname(file), name))
      if (word === 'VENDOR') vendors.set(name, value)
      if (word === 'BEGIN-VENDOR') vendor = vendors.get(name) ?? name
      if (word === 'END-VENDOR') vendor = '0'
      if (word === 'ATTRIBUTE') known.set(name, `${vendor} ${value} ${type}`)
    }
  }
  read('/usr/share/freeradius/dictionary')
  read(path.join(deployed, 'dictionary'))
  return known
}

export interface RadiusReply {
  /** `Access-Accept` and so on; null: no answer. */
  kind: string | null
  /** One line each, such as `Session-Timeout = 7200`, in the order of the packet. */
  attributes: string[]
}

/** The answer to `radclient` from this address with these attributes. */
export async function radclient(
  { port, secret, from }: { port: number; secret: string; from: string },
  kind: 'auth' | 'acct' | 'status',
  attributes: Record<string, string | number>,
  { tries = 3, patience_s = 20 } = {},
): Promise<RadiusReply> {
  const asked = promisify(execFile)('radclient', [
    '-x',
    '-r',
    String(tries),
    '-t',
    String(patience_s),
    `127.0.0.1:${port}`,
    kind,
    secret,
  ])
  const lines = Object.entries({ ...attributes, 'Packet-Src-IP-Address': from }).map(
    ([name, value]) => `${name} = ${typeof value === 'number' || /^[\d.]+$|^0x/.test(value) ? value : `'${value}'`}`,
  )
  asked.child.stdin?.end(`${lines.join('\n')}\n`)
  const { stdout } = await asked.catch((error: { stdout: string }) => error)
  const [, answer] = stdout.split(/^Received /m)
  return {
    kind: answer ? (/^\S+/.exec(answer)?.[0] ?? null) : null,
    attributes: [...(answer ?? '').matchAll(/^\t(.+)$/gm)].map(([, line = '']) => line),
  }
}
