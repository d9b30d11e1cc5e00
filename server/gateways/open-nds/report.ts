// Report of an openNDS at its levels 3 and 4: its authmon asks the portal every few seconds whom to let in, and says who has left. The
// box runs what it is answered in a shell, as root, so that is nothing but digits, hexadecimal and the signs between them.
import { createHash } from 'node:crypto'
import type { Settings } from '#contract/parameters.ts'
import type { BoxPolls, Fetched, Polled } from '#server/gateways/box-polls.ts'
import { first } from '#server/gateways/read.ts'

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
const is_hash = /^[0-9a-f]{64}$/

/** By the name as it is written in its redirects, in the encoding of addresses. */
export const asksAs = (encoded_name: string) => sha256(encoded_name)
/** It reports a guest by a token of its own, whose hash its redirects have. */
const hidOf = (token: string) => sha256(token)

/** It reads no more of an answer. */
const at_once = 4
const payload_chars_max = 8000

/** In an address, plus signs of Base64 arrive as blanks. */
const payloadIn = (sent: Readonly<Record<string, string | undefined>>) =>
  Buffer.from((sent['payload'] ?? '').slice(0, payload_chars_max).replaceAll(' ', '+'), 'base64').toString('utf8')

/** Of its forwarding. */
const fetching = ['3', '4']
export const isFetched = ({ level }: Settings) => fetching.some((one) => one === level)
/** It takes no orders, so this is how long an ended right goes on. */
const lasts_max_s = 15 * 60

export const authmon: BoxPolls = {
  isUsed: isFetched,
  // At 3 its redirects are encrypted, so they prove whose device it is; at 4 anybody at the box could ask in another's name.
  lastsMax_s: ({ level }) => (level === '3' ? lasts_max_s : null),
  at_once,
  read(sent) {
    const { auth_get, gatewayhash } = sent
    if (auth_get === undefined || gatewayhash === undefined || !is_hash.test(gatewayhash)) return null
    return { asks_as: gatewayhash, polled: polledIn(auth_get, payloadIn(sent)) }
  },
  answerTo({ says }, waiting) {
    if (says === 'asks') return ['*', ...waiting.slice(0, at_once).map(lineOf)].join(' ')
    return says === 'started' ? '' : 'ack'
  },
}

function polledIn(auth_get: string, payload: string): Polled {
  if (auth_get === 'clear') return { says: 'started' }
  if (auth_get === 'deauthed') return endedIn(payload)
  if (auth_get !== 'view') return { says: 'nothing' }
  const [star, ...tokens] = payload.trim().split(/\s+/)
  return star === '*' && tokens.length > 0
    ? { says: 'took', tokens: tokens.filter((token) => is_hash.test(token)) }
    : { says: 'asks' }
}

const causes: Record<string, string> = {
  client_deauth: 'User-Request',
  idle_deauth: 'Idle-Timeout',
  timeout_deauth: 'Session-Timeout',
  downquota_deauth: 'Data-Used-Up',
  upquota_deauth: 'Data-Used-Up',
  ndsctl_deauth: 'Admin-Reset',
  shutdown_deauth: 'NAS-Reboot',
}

/** `method="idle_deauth", clientmac="…", bytes_incoming=1, …` */
function endedIn(payload: string): Polled {
  const fields = Object.fromEntries(
    payload.split(', ').map((pair): [string, string] => {
      const [name = '', value = ''] = pair.trim().split('=', 2)
      return [name, value.replaceAll('"', '').trim()]
    }),
  )
  const token = first(fields, 'token')
  if (token === null) return { says: 'nothing' }
  return {
    says: 'ended',
    guest: hidOf(token),
    // What comes in to the guest is the download.
    bytes_down: countIn(fields['bytes_incoming']),
    bytes_up: countIn(fields['bytes_outgoing']),
    cause: causes[fields['method'] ?? ''] ?? 'NAS-Request',
  }
}

const countIn = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

/** Token, minutes, rates and quotas of upload and download, in kbit/s and kB; 0 is no limit. */
function lineOf({ token, seconds, bytes, speed_mbps }: Fetched): string {
  if (!is_hash.test(token)) throw new Error('a token of an openNDS is a hash')
  const rate = speed_mbps === null ? 0 : whole(speed_mbps * 1000)
  const quota = bytes === null ? 0 : whole(bytes / 1024)
  return [token, whole(Math.ceil(seconds / 60)), rate, rate, quota, quota, ''].join('%20')
}
/** Digits, however large it is. */
const whole = (value: number) => Math.min(Math.max(1, Math.floor(Number.isFinite(value) ? value : 0)), 2 ** 31 - 1)
