// Network: a guest's network, a gateway that runs a real openNDS, and this machine as the internet behind it; in network namespaces,
// so that the machine's own network does not change. Addresses are from blocks reserved for tests and documentation.
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'

export const gateway = { namespace: 'foyer-gateway', address: '198.18.77.1', mac_address: '02:00:5e:10:77:01' }
export const guest = { namespace: 'foyer-guest', address: '198.18.77.2', mac_address: '02:00:5e:10:77:02' }
/** This machine's addresses, as the gateway sees them: Foyer listens on one, and the other represents any web site. */
export const internet = { foyer: '198.51.100.1', web: '203.0.113.80' }
const towards_gateway = 'foyer-wan'

/** Says what is missing on this machine; null if nothing is. */
export function missingHere(): string | null {
  if (process.getuid?.() !== 0) return 'Network namespaces need root.'
  const missing = ['ip', 'curl', 'iptables', 'opennds', 'php', 'openssl'].filter((name) => !isThere(name))
  if (missing.length === 0) return null
  return `Not installed: ${missing.join(', ')}. On Debian: apt-get install iproute2 curl iptables opennds php-cli openssl`
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
  // A killed run may have left its network behind.
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

/** Also kills all processes in the namespaces. */
export function closeNetwork() {
  const there = ip('netns list').split('\n')
  for (const { namespace } of [gateway, guest]) {
    if (!there.some((line) => line.split(' ')[0] === namespace)) continue
    endAllIn({ namespace })
    ip(`netns del ${namespace}`)
  }
  try {
    ip(`link del ${towards_gateway}`)
  } catch {
    // It was removed with the namespace of its other end.
  }
}

function endAllIn({ namespace }: { namespace: string }) {
  for (const id of ip(`netns pids ${namespace}`).split('\n').filter(Boolean)) kill(Number(id))
}

function kill(id: number) {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** What is the network's: the portal is set by the lines that its gateway's page gives. */
const config = `
GatewayInterface lan
GatewayFQDN disable
use_outdated_mhd 1
FirewallRuleSet users-to-router {
  FirewallRule allow udp port 53
  FirewallRule allow udp port 67
}
`

/** Writes to Debian's file what OpenWrt keeps by itself. */
const uci = `#!/bin/sh
if [ "$1" = set ]; then
  setting="\${2#*.*.}"
  echo "\${setting%%=*} \${setting#*=}" >> /etc/opennds/opennds.conf
fi
`

/**
 * openNDS writes to /etc, /run and /tmp, restarts dnsmasq, and reads DHCP leases there, so it gets private copies of them. It creates
 * chains with nft that newer versions of iptables (1.8.9) cannot append to: if the kernel still supports iptables-legacy, that is put
 * into its path as iptables.
 */
const start = `
set -e
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /run
mkdir /tmp/etc /tmp/work /tmp/bin
mount -t overlay -o lowerdir=/etc,upperdir=/tmp/etc,workdir=/tmp/work overlay /etc
touch /etc/dnsmasq.conf
echo "$LEASE" > /tmp/dhcp.leases
# Its scripts read it there, wherever the program is told that it is.
echo "$CONFIG" > /etc/opennds/opennds.conf
if [ -n "$AUTHORITY" ]; then
  echo "$AUTHORITY" > /etc/ssl/certs/foyer-proof.pem
  ln -sf foyer-proof.pem "/etc/ssl/certs/$(openssl x509 -hash -noout -in /etc/ssl/certs/foyer-proof.pem).0"
fi
if iptables-legacy -S > /dev/null 2>&1; then
  for name in iptables iptables-save iptables-restore; do
    ln -s "$(command -v iptables-legacy$(echo "$name" | sed s/iptables//))" "/tmp/bin/$name"
  done
fi
# There is no system log here.
printf '#!/bin/sh\\ncat >&2\\n' > /tmp/bin/logger
echo "$UCI" > /tmp/bin/uci
# It is started below.
printf '#!/bin/sh\\n' > /tmp/bin/service
chmod +x /tmp/bin/*
export PATH="/tmp/bin:$PATH"
sh -c "$PASTED"
exec opennds -f -d 1 -c /etc/opennds/opennds.conf
`

/** @param authority the file of a certificate that it trusts, too */
export function startOpenNds(pasted: string, authority?: string) {
  let output = ''
  const lease = `2000000000 ${guest.mac_address} ${guest.address} phone *`
  const child = spawn('ip', ['netns', 'exec', gateway.namespace, 'sh', '-c', start], {
    env: {
      ...process.env,
      CONFIG: config,
      UCI: uci,
      PASTED: pasted,
      LEASE: lease,
      AUTHORITY: authority ? fs.readFileSync(authority, 'utf8') : '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const append = (text: string) => void (output += text)
  child.stdout.setEncoding('utf8').on('data', append)
  child.stderr.setEncoding('utf8').on('data', append)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return { output: () => output, hasEnded }
}
