// The ports of RADIUS that nobody has set: its own where they are free, otherwise two free ones. They are chosen once and kept in the
// data directory, since they are typed into gateways.
import { createSocket } from 'node:dgram'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { isIPv6 } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { Config } from '#server/start/config.ts'

const port = z.int().min(1).max(65_535)
const Ports = z.object({ access: port, accounting: port })
export type ChosenRadiusPorts = z.output<typeof Ports>

/** RFC 2865 and RFC 2866. */
export const usualRadiusPorts: ChosenRadiusPorts = { access: 1812, accounting: 1813 }

/**
 * @param wanted those that are taken if they are free: RADIUS's own, or null for any
 * @throws CannotStart if the file of a former start cannot be read
 */
export async function keptRadiusPorts(
  data_dir: string,
  host: string,
  wanted: ChosenRadiusPorts | null,
): Promise<ChosenRadiusPorts> {
  const file = path.join(data_dir, 'radius-ports.json')
  if (fs.existsSync(file)) return readPorts(file)
  const ports = wanted && (await areFree(host, wanted)) ? wanted : await freePorts(host)
  fs.mkdirSync(data_dir, { recursive: true })
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(ports)}\n`, { flush: true })
  fs.renameSync(`${file}.new`, file)
  return ports
}

function readPorts(file: string): ChosenRadiusPorts {
  try {
    return Ports.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch {
    throw new CannotStart(
      `The ports in ${file} cannot be read. Set RADIUS_AUTH_PORT and RADIUS_ACCT_PORT to those that your gateways use.`,
    )
  }
}

/** Below 32768, where Linux's ports for outgoing packets begin. */
async function freePorts(host: string): Promise<ChosenRadiusPorts> {
  for (;;) {
    const access = randomInt(20_000, 32_000)
    const ports = { access, accounting: access + 1 }
    if (await areFree(host, ports)) return ports
  }
}

const areFree = async (host: string, { access, accounting }: ChosenRadiusPorts) =>
  (await isFree(host, access)) && (await isFree(host, accounting))

/** An address that the machine does not have is reported when it is listened on. */
async function isFree(host: string, at: number): Promise<boolean> {
  const probe = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  try {
    probe.bind(at, host)
    await once(probe, 'listening')
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EADDRINUSE'
  } finally {
    probe.close()
  }
}

/** Whether RADIUS gets a process of its own: where this node has other work, and RADIUS listens at all. */
export const isRadiusApart = ({
  roles,
  radius_ports,
  radius_http,
}: Pick<Config, 'roles' | 'radius_ports' | 'radius_http'>) =>
  roles.includes('radius') && roles.length > 1 && (radius_ports !== null || radius_http !== null)
