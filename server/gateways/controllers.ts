// Controllers: those that customers have registered, opened with what is stored of them. What a node keeps of one, its log-in above all,
// lasts as long as nothing of it is changed.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Setting } from '#contract/parameters.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import {
  openLine,
  settingText,
  wrong,
  type RegisteredController,
  type Controller,
  type ControllerLine,
  type Tell,
} from './controller.ts'
import { kindOf } from './find-kind.ts'
import { openSettingSecrets } from '#server/connections/setting-secrets.ts'
import { gatewaySecrets } from './settings.ts'

interface Stored {
  gateway_type_id: number
  username: string | null
  settings: Record<string, Setting>
}
export interface Registration extends RegisteredController {
  gateway_type_id: number
}

/** Null: the gateway is gone. */
export async function registrationOf(scope: Scope, seal: Seal, gateway_id: number): Promise<Registration | null> {
  const [stored] = await scope.run(sql<Stored>`
    select t.gateway_type_id, t.username, t.settings from gateways as t
    where t.id = ${gateway_id} and ${scope.inReach('gateways', 't')}`)
  if (!stored) return null
  const sealed = await scope.run(sql<{ key: string | null; sealed_value: Buffer }>`
    select * from controller_secrets(${gateway_id})`)
  const password = sealed.find(({ key }) => key === null)
  const secrets = sealed.flatMap(({ key, sealed_value }) => (key === null ? [] : [{ key, sealed_value }]))
  return {
    customer_id: scope.customer_id,
    gateway_id,
    ...stored,
    password: password
      ? seal.open(password.sealed_value, placeIn('gateway_secrets.sealed_password', scope, gateway_id))
      : null,
    settings: openSettingSecrets(
      seal,
      gatewaySecrets,
      { customer_id: scope.customer_id, id: gateway_id, settings: stored.settings },
      secrets,
    ),
  }
}

interface Reaching {
  safeFetch: SafeFetch
  /** Whether the installation names the host of an address: it may be called without TLS. */
  isNamedHost: (url: string) => boolean
}

/** How many a node keeps open. */
const kept_max = 2000

export interface Controllers {
  /** @throws {Trouble} where it is not registered completely */
  open(registration: Registration): Controller
}

export function openControllers({ safeFetch, isNamedHost }: Reaching, tell: Tell): Controllers {
  const lines = new Map<string, ControllerLine>()
  const opened = new Map<string, Controller>()
  return {
    open({ gateway_type_id, ...access }) {
      const open = kindOf(gateway_type_id)?.controller?.open
      if (!open) throw wrong('Gateways of this make are not called.')
      const { customer_id, gateway_id, settings } = access
      const address = settingText(settings, 'controller_url') ?? ''
      if (address.startsWith('http:') && !isNamedHost(address))
        throw wrong('The controller’s address must begin with https, or the installation’s ALLOWED_HOSTS must name it.')
      const fingerprint = settingText(settings, 'tls_fingerprint')
      // One address of a customer has one line, however many gateways stand behind it; a box that is told by RADIUS has its own.
      const origin = URL.canParse(address) ? new URL(address).origin : gateway_id
      const line = keep(lines, [customer_id, origin, fingerprint], () => openLine(safeFetch, tell, fingerprint))
      return keep(opened, [gateway_type_id, access], () => open(access, line))
    },
  }
}

/** Until nothing of what it was opened with is the same, or others were needed more lately. */
function keep<V>(kept: Map<string, V>, of: unknown, open: () => V): V {
  const key = createHash('sha256').update(JSON.stringify(of)).digest('hex')
  const value = kept.get(key) ?? open()
  kept.delete(key)
  const [oldest] = kept.keys()
  if (kept.size >= kept_max && oldest !== undefined) kept.delete(oldest)
  kept.set(key, value)
  return value
}
