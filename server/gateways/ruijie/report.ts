// Ruijie's boxes ask by wifidog: with the token that the guest has brought they ask whether they may be online, again every minute with
// what was used, and once more when the guest has left.
import type { BoxAsks, BoxQuestion } from '#server/gateways/box-asks.ts'
import type { Pass } from '#server/gateways/kind.ts'
import { macIn } from '#server/gateways/read.ts'

/** The token says all that the question needs: the box sends it back each time, and nothing else of ours. */
export function tokenOf({ username, password, back }: Pass): string {
  const { pathname, searchParams } = new URL(back)
  return [pathname.split('/').at(-1), searchParams.get('online'), username, password].join('.')
}
const token = /^([\w-]{1,64})\.([\w-]{22})\.(pass-[\w-]{22})\.([\w-]{22})$/

function read(query: Parameters<BoxAsks['read']>[0]): BoxQuestion | null {
  const [, public_id, status_key, username, password] = token.exec(query['token'] ?? '') ?? []
  if (!public_id || !status_key || !username || !password) return null
  return {
    brought: { public_id, status_key, username, password },
    mac_address: macIn(query['mac'] ?? null),
    says: query['stage'] === 'logout' ? 'left' : 'asks',
    bytes_to_guest: countIn(query['incoming']),
    bytes_from_guest: countIn(query['outgoing']),
  }
}
const countIn = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

export const asks: BoxAsks = {
  paths: ['/auth', '/auth/'],
  read,
  answerTo: (may) => `Auth:${may ? 1 : 0}`,
  online_paths: ['/portal', '/portal/'],
  ping: { paths: ['/ping', '/ping/'], answer: 'Pong' },
}
