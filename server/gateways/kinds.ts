// Gateway kinds: one line each. A redirect is read by the first that knows it, so makes that can be recognised for certain come before
// the generic one, and those whose guests cannot be let in from the portal come last.
import { aruba } from './aruba/kind.ts'
import { cambium } from './cambium/kind.ts'
import { coovaChilli } from './coova-chilli/kind.ts'
import { generic } from './generic/kind.ts'
import type { GatewayKind } from './kind.ts'
import { meraki } from './meraki/kind.ts'
import { mikroTik } from './mikrotik/kind.ts'
import { nomadix } from './nomadix/kind.ts'
import { omada } from './omada/kind.ts'
import { openNds } from './open-nds/kind.ts'
import { opnSense } from './opnsense/kind.ts'
import { pfSense } from './pfsense/kind.ts'
import { ruckus } from './ruckus/kind.ts'
import { unifi } from './unifi/kind.ts'

export const kinds: readonly GatewayKind[] = [
  coovaChilli,
  mikroTik,
  openNds,
  generic,
  unifi,
  omada,
  ruckus,
  aruba,
  meraki,
  cambium,
  nomadix,
  pfSense,
  opnSense,
]
