// Database address: a URL that names several servers of one database, as libpq has it, read so that the rest of the program sees one host.

/** The parameter of a URL that has the servers after the first: every URL of the program then has one host, as programs expect. */
const others = 'hosts'
export interface Host {
  host: string
  port: number
}

/** What libpq calls it; the one that writes is meant where nothing is said. */
const writing: readonly (string | null)[] = [null, 'read-write', 'primary']
const address = /^(?<scheme>postgres(?:ql)?:\/\/)(?<login>[^@/]*@)?(?<hosts>[^/?]+)(?<rest>.*)$/s

/**
 * `postgres://login@a:5432,b:5432/foyer?target_session_attrs=read-write`, as libpq has it, with the first server as its host and the
 * others in a parameter. One of a single server stays as it is. Empty: the servers cannot be read, or one is meant that only copies.
 */
export function asOneHost(given: string): string {
  const { scheme = '', login = '', hosts = '', rest = '' } = address.exec(given)?.groups ?? {}
  const all = hosts.split(',')
  if (all.length === 1) return given
  const urls = all.map((host) => `${scheme}${login}${host}${rest}`)
  if (all.includes('') || !urls.every((one) => URL.canParse(one))) return ''
  const url = new URL(urls[0] ?? '')
  if (!writing.includes(url.searchParams.get('target_session_attrs'))) return ''
  url.searchParams.delete('target_session_attrs')
  url.searchParams.set(others, all.slice(1).join(','))
  return url.href
}

/** The parameter of a URL whose connections a pooler hands out for one transaction each. */
const pooled = 'pooled'
export function asPooled(address: string): string {
  const url = new URL(address)
  url.searchParams.set(pooled, 'true')
  return url.href
}
export const isPooled = (address: string) => new URL(address).searchParams.has(pooled)

/** In the order of the URL. */
export function hostsOf(address: string): Host[] {
  const url = new URL(address)
  const further = url.searchParams.get(others)?.split(',') ?? []
  return [url.host, ...further].map((host) => {
    const { hostname, port } = new URL(`postgres://${host}`)
    return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || '5432') }
  })
}

/** For a person. */
export const hostsIn = (address: string) => hostsOf(address).map(shown).join(', ')
export const shown = ({ host, port }: Host) => `${host}:${port}`

/** The URL of one of them alone. */
export function withHost(address: string, { host, port }: Host): string {
  const url = new URL(address)
  url.searchParams.delete(others)
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  return url.href
}
