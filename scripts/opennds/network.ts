// Network: a guest's network, a gateway with a real openNDS in front of it, and this machine as the internet behind; in network
// namespaces, so that nothing of the machine's own network changes. Addresses are of blocks that no real network uses.
import { execFileSync, spawn } from 'node:child_process'

export const gateway = { namespace: 'foyer-gateway', address: '198.18.77.1', mac_address: '02:00:5e:10:77:01' }
export const guest = { namespace: 'foyer-guest', address: '198.18.77.2', mac_address: '02:00:5e:10:77:02' }
/** This machine's, as the gateway sees it: Foyer listens on one, and the other stands for any site of the web. */
export const internet = { foyer: '198.51.100.1', web: '203.0.113.80' }
const towards_gateway = 'foyer-wan'

/** Null: nothing. */
export function missingHere(): string | null {
  if (process.getuid?.() !== 0) return 'Network namespaces need root.'
  const missing = ['ip', 'curl', 'iptables', 'opennds'].filter((name) => !isThere(name))
  if (missing.length === 0) return null
  return `Not installed: ${missing.join(', ')}. On Debian: apt-get install iproute2 curl iptables opennds`
}

function isThere(name: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const ip = (words: string) =>
  execFileSync('ip', words.split(' '), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const inside = ({ namespace }: { namespace: string }, words: string) => ip(`-n ${namespace} ${words}`)

export function openNetwork() {
  // A run that was killed may have left its own.
  closeNetwork()
  for (const { namespace } of [gateway, guest]) ip(`netns add ${namespace}`)
  ip(`link add ${towards_gateway} type veth peer name wan netns ${gateway.namespace}`)
  ip(`link add lan netns ${gateway.namespace} type veth peer name wifi netns ${guest.namespace}`)
  inside(gateway, `link set lan address ${gateway.mac_address}`)
  inside(guest, `link set wifi address ${guest.mac_address}`)

  for (const address of [`${internet.foyer}/24`, `${internet.web}/32`]) ip(`addr add ${address} dev ${towards_gateway}`)
  inside(gateway, 'addr add 198.51.100.2/24 dev wan')
  inside(gateway, `addr add ${gateway.address}/24 dev lan`)
  inside(guest, `addr add ${guest.address}/24 dev wifi`)

  ip(`link set ${towards_gateway} up`)
  for (const name of ['lo', 'wan', 'lan']) inside(gateway, `link set ${name} up`)
  for (const name of ['lo', 'wifi']) inside(guest, `link set ${name} up`)
  inside(gateway, `route add default via ${internet.foyer}`)
  inside(guest, `route add default via ${gateway.address}`)
  ip(`route add 198.18.77.0/24 via 198.51.100.2`)
  ip(`netns exec ${gateway.namespace} sysctl -qw net.ipv4.ip_forward=1`)
}

/** All that runs in the namespaces ends with them. */
export function closeNetwork() {
  const there = ip('netns list').split('\n')
  for (const { namespace } of [gateway, guest]) {
    if (!there.some((line) => line.split(' ')[0] === namespace)) continue
    for (const id of ip(`netns pids ${namespace}`).split('\n').filter(Boolean)) kill(Number(id))
    ip(`netns del ${namespace}`)
  }
  try {
    ip(`link del ${towards_gateway}`)
  } catch {
    // It went with the namespace that has its other end.
  }
}

function kill(id: number) {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

interface Portal {
  port: number
  path: string
  key: string
}
/** The gateway's name is the one that openNDS has by itself; nothing is set but where the portal is. */
const configOf = ({ port, path, key }: Portal) => `
GatewayInterface lan
GatewayName Lobby
GatewayFQDN disable
fasremoteip ${internet.foyer}
fasport ${port}
faspath ${path}
fas_secure_enabled 1
faskey ${key}
use_outdated_mhd 1
FirewallRuleSet users-to-router {
  FirewallRule allow udp port 53
  FirewallRule allow udp port 67
}
`

/**
 * openNDS writes to /etc, /run and /tmp, restarts dnsmasq, and reads there whom a DHCP server gave an address: here it sees
 * copies of its own. It makes chains by nft that the newer iptables (1.8.9) then cannot add to: where the kernel still takes
 * rules of the older one, that is what it finds under the name.
 */
const start = `
set -e
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /run
mkdir /tmp/etc /tmp/work /tmp/bin
mount -t overlay -o lowerdir=/etc,upperdir=/tmp/etc,workdir=/tmp/work overlay /etc
touch /etc/dnsmasq.conf
echo "$LEASE" > /tmp/dhcp.leases
echo "$CONFIG" > /tmp/opennds.conf
if iptables-legacy -S > /dev/null 2>&1; then
  for name in iptables iptables-save iptables-restore; do
    ln -s "$(command -v iptables-legacy$(echo "$name" | sed s/iptables//))" "/tmp/bin/$name"
  done
fi
export PATH="/tmp/bin:$PATH"
exec opennds -f -d 1 -c /tmp/opennds.conf
`

export function startOpenNds(portal: Portal) {
  let said = ''
  const lease = `2000000000 ${guest.mac_address} ${guest.address} phone *`
  const child = spawn('ip', ['netns', 'exec', gateway.namespace, 'sh', '-c', start], {
    env: { ...process.env, CONFIG: configOf(portal), LEASE: lease },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const hear = (text: string) => void (said += text)
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  return { said: () => said, hasEnded: () => child.exitCode !== null || child.signalCode !== null }
}
