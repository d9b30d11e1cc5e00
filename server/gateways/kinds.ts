// Gateway kinds: one line each. A redirect is read by the first that knows it, so those that have the words of another besides their own
// come before it, and the generic one, which knows many words, comes last.
import { alcatel } from './alcatel/kind.ts'
import { alta } from './alta/kind.ts'
import { arista } from './arista/kind.ts'
import { aruba } from './aruba/kind.ts'
import { cambium } from './cambium/kind.ts'
import { cisco } from './cisco/kind.ts'
import { coovaChilli } from './coova-chilli/kind.ts'
import { dLink } from './d-link/kind.ts'
import { drayTek } from './draytek/kind.ts'
import { extreme } from './extreme/kind.ts'
import { fortinet } from './fortinet/kind.ts'
import { generic } from './generic/kind.ts'
import { grandstream } from './grandstream/kind.ts'
import { huawei } from './huawei/kind.ts'
import { meraki } from './meraki/kind.ts'
import { mikroTik } from './mikrotik/kind.ts'
import { nomadix } from './nomadix/kind.ts'
import { omada } from './omada/kind.ts'
import { openNds } from './open-nds/kind.ts'
import { opnSense } from './opnsense/kind.ts'
import { pfSense } from './pfsense/kind.ts'
import { ruckus } from './ruckus/kind.ts'
import { ruijie } from './ruijie/kind.ts'
import { sonicWall } from './sonicwall/kind.ts'
import { unifi } from './unifi/kind.ts'
import { zyxel } from './zyxel/kind.ts'
import type { GatewayKind } from './kind.ts'

export const kinds: readonly GatewayKind[] = [
  arista,
  coovaChilli,
  mikroTik,
  openNds,
  unifi,
  omada,
  ruckus,
  aruba,
  meraki,
  cambium,
  nomadix,
  cisco,
  extreme,
  fortinet,
  grandstream,
  zyxel,
  dLink,
  drayTek,
  alcatel,
  huawei,
  ruijie,
  sonicWall,
  alta,
  pfSense,
  opnSense,
  generic,
]
