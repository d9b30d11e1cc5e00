// SFTP: the server to which properties' systems send their lists. The user name is the interface's identifier, the key is the one of its
// settings, and all there is, is its inbox: no shell, no command, no forwarding, no other folder, and nothing can be read back.
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import ssh2, { type AuthContext, type Connection } from 'ssh2'
import { callerOfJob } from '#server/access/principal.ts'
import type { Doors } from '#server/access/doors.ts'
import { networkOf, plainAddress } from '#server/access/network.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { spendQuota } from '#server/fairness/quotas.ts'
import { isAddress, type Inbox } from '#server/files/inbox.ts'
import { systemOf } from '#server/property-systems/kinds.ts'
import { publicKeyIn } from '#server/property-systems/public-key.ts'
import { interfaceAt } from '#server/property-systems/interface-settings.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { sftpHostKeyPlace } from '#server/secrets/sealed-columns.ts'
import type { Disk } from '#server/turns/disk.ts'
import type { Log } from '#server/watch/log.ts'
import { serveFolder } from './sftp-folder.ts'

/** Of this node, from one address (/64 of IPv6), and of one interface. */
const connections_max = 200
const from_one_address_max = 10
const of_one_interface_max = 4
/** New ones from one address within a minute. */
const a_minute_max = 30
/** From the first byte to a key that is known. */
const sign_in_max_ms = 20_000
const tries_max = 6
const idle_max_ms = 5 * 60_000

export interface SftpNeeds {
  tenancy: Tenancy
  guestDoors: Pick<Doors, 'callFunction'>
  seal: Seal
  inbox: Inbox
  disk: Pick<Disk, 'hasRoom'>
  log: Log
}

export interface Sftp {
  /** Answers the port. */
  listen(host: string, port: number): Promise<number>
  close(): Promise<void>
}

/** Whose inbox it is. */
interface Sender {
  customer_id: number
  interface_id: number
  address: string
}

export async function openSftp(needs: SftpNeeds): Promise<Sftp> {
  const { log } = needs
  const limits = new Limits()
  const open = new Set<Connection>()
  const server = new ssh2.Server(
    { hostKeys: [await hostKey(needs)], ident: 'Foyer', algorithms: { compress: ['none'] } },
    (connection, { ip }) => {
      open.add(connection)
      connection.on('close', () => open.delete(connection))
      // What clients break off, or say wrong, is theirs.
      connection.on('error', (err) => log.debug({ err, ip }, 'a connection over SFTP failed'))
      if (limits.take(ip, connection)) serve(needs, limits, connection)
      else connection.end()
    },
  )
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.removeListener('error', reject)
          server.on('error', (err: unknown) => log.warn({ err }, 'the server for SFTP failed'))
          resolve((server.address() as AddressInfo).port)
        })
      }),
    async close() {
      for (const connection of open) connection.end()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

/** The same for all nodes, and for good: those who send know us by it. */
async function hostKey({ tenancy, seal }: Pick<SftpNeeds, 'tenancy' | 'seal'>): Promise<string> {
  const fresh = seal.close(ssh2.utils.generateKeyPairSync('ed25519').private, sftpHostKeyPlace)
  const [kept] = await tenancy.callFunction(sql<{ sealed: Buffer }>`select sealed from door_sftp_host_key(${fresh})`)
  if (!kept) throw new Error('the database keeps nothing of the installation')
  return seal.open(kept.sealed, sftpHostKeyPlace)
}

function serve(needs: SftpNeeds, limits: Limits, connection: Connection) {
  let sender: Sender | undefined
  let tries = 0
  const late = setTimeout(() => connection.end(), sign_in_max_ms)
  connection.on('close', () => clearTimeout(late))
  connection.on('authentication', (asked) => {
    void senderOf(needs, asked)
      .catch((err: unknown) => {
        needs.log.warn({ err }, 'an SFTP user could not be looked up')
        return undefined
      })
      .then((found) => {
        if (!found || (found.isSigned && !limits.takeOf(found.address, connection))) {
          // Clients ask first what there is, and offer each of their keys.
          if (++tries > tries_max) connection.end()
          else asked.reject(['publickey'])
          return
        }
        if (found.isSigned) sender = found
        asked.accept()
      })
  })
  connection.on('ready', () => {
    clearTimeout(late)
    if (!sender) return void connection.end()
    const its = sender
    let channels = 0
    let idle = setTimeout(() => connection.end(), idle_max_ms)
    const touch = () => {
      clearTimeout(idle)
      idle = setTimeout(() => connection.end(), idle_max_ms)
    }
    connection.on('close', () => clearTimeout(idle))
    connection.on('session', (accept, refuse) => {
      if (++channels > 2) return refuse()
      const session = accept()
      // Shells, commands, terminals and forwarding have no listener, and are refused by that.
      session.on('sftp', (agree) =>
        serveFolder(agree(), {
          touch,
          inbox: needs.inbox,
          address: its.address,
          hasRoom: () => needs.disk.hasRoom(),
          spend: (bytes) =>
            needs.tenancy.enter(callerOfJob(its.customer_id, 'property system'), 'write', (scope) =>
              spendQuota(scope, 'uploaded_bytes', bytes),
            ),
          log: needs.log.child({ property_interface_id: its.interface_id }),
        }),
      )
    })
  })
}

/** Undefined: nobody that we know, by nothing that we take. */
async function senderOf(needs: SftpNeeds, login: AuthContext): Promise<(Sender & { isSigned: boolean }) | undefined> {
  if (login.method !== 'publickey') return undefined
  const address = login.username.toLowerCase()
  const found = isAddress(address) ? await interfaceAt(needs, address) : undefined
  const given = found?.settings['public_key']
  if (!found || !systemOf(found.type_id)?.files || typeof given !== 'string') return undefined
  const key = publicKeyIn(given)
  if ('sentence' in key || !key.bytes.equals(login.key.data)) return undefined
  const { signature, blob, hashAlgo } = login
  const sender = { customer_id: found.customer_id, interface_id: found.id, address }
  if (!signature || !blob) return { ...sender, isSigned: false }
  // Signatures of RSA with SHA-1 can be forged by now.
  if (key.type === 'ssh-rsa' && hashAlgo === undefined) return undefined
  return key.verify(blob, signature, hashAlgo) ? { ...sender, isSigned: true } : undefined
}

class Limits {
  private open = 0
  private readonly of = new Map<string, number>()
  private readonly begun = new Map<string, number>()
  private minute = 0

  take(ip: string, connection: Connection): boolean {
    const minute = Math.trunc(Date.now() / 60_000)
    if (minute !== this.minute) this.begun.clear()
    this.minute = minute
    const from = networkOf(plainAddress(ip))
    const begun = (this.begun.get(from) ?? 0) + 1
    this.begun.set(from, begun)
    if (begun > a_minute_max || this.open >= connections_max) return false
    this.open++
    connection.on('close', () => this.open--)
    return this.count(`from ${from}`, from_one_address_max, connection)
  }
  takeOf(address: string, connection: Connection) {
    return this.count(`of ${address}`, of_one_interface_max, connection)
  }

  private count(group: string, max: number, connection: Connection): boolean {
    const count = (this.of.get(group) ?? 0) + 1
    if (count > max) return false
    this.of.set(group, count)
    connection.on('close', () => {
      const left = (this.of.get(group) ?? 1) - 1
      if (left > 0) this.of.set(group, left)
      else this.of.delete(group)
    })
    return true
  }
}
