// Setup texts: how each kind of gateway is set up: lines to paste if it has a command line or a file, else the values that its own
// screens ask for. Types are identified by their fixed ids. Gateways of a kind that server/gateways cannot read do not send guests to
// our page, which would report that the network is not set up.

export interface Known {
  /** Of the RADIUS server. */
  host: string
  authentication_port: number
  accounting_port: number
  nas_identifier: string
  /** The RADIUS secret, or a placeholder for it. */
  secret: string
  /** The address of the portal that its guests see. */
  portal: string
}
export interface SetupText {
  /** Where on the gateway to enter the values, and what to do there. */
  where: string
  /** Lines to paste. */
  lines?: string
  /** Values to fill in, under the names that the gateway uses. */
  values?: [name: string, value: string][]
  /** Easily missed points. */
  note?: string
}

/** Where gateways usually listen for our Disconnect-Request. */
const disconnect_port = '3799'
const interim_s = '300'

/** The host that a gateway must let guests open before they are online. */
const hostOf = (portal: string) => new URL(portal).hostname

const radius = ({ host, authentication_port, accounting_port, nas_identifier, secret }: Known): [string, string][] => [
  ['RADIUS server', host],
  ['Authentication port', String(authentication_port)],
  ['Accounting port', String(accounting_port)],
  ['Shared secret', secret],
  ['NAS identifier', nas_identifier],
  ['Interim accounting, seconds', interim_s],
]

const ownPage =
  'Guests sign in on the gateway’s own page, with a username and password or a voucher’s code; registered devices get ' +
  'online without it. If it can send guests to a page elsewhere that signs in with a form of username and password, ' +
  'register it as Generic RADIUS (WISPr): then guests see your portal.'

const byOwnPage =
  (where: string, note?: string) =>
  (known: Known): SetupText => ({ where, values: radius(known), note: note ? `${note} ${ownPage}` : ownPage })

const generic = (known: Known): SetupText => ({
  where:
    'Add the server wherever the gateway keeps its RADIUS client, for authentication and for accounting, and the login ' +
    'page as its external portal.',
  values: [['Login page', known.portal], ['Allowed before sign-in', hostOf(known.portal)], ...radius(known)],
})

/** With the parameters that server/gateways/mikrotik.ts reads. */
const mikrotikPage = (portal: string) =>
  `<meta http-equiv="refresh" content="0; url=${portal}?identity=$(identity)&mac=$(mac-esc)&error=$(error)` +
  '&link-orig=$(link-orig-esc)&link-login-only=$(link-login-only-esc)">'

const mikrotik = ({
  host,
  authentication_port,
  accounting_port,
  nas_identifier,
  secret,
  portal,
}: Known): SetupText => ({
  where:
    'Open a terminal on the router, and paste this. The router names itself to RADIUS by its identity. Then replace all ' +
    'of hotspot/login.html by the line below.',
  values: [['login.html', mikrotikPage(portal)]],
  lines: [
    `/system identity set name="${nas_identifier}"`,
    `/radius add service=hotspot address=[:resolve "${host}"] secret="${secret}" ` +
      `authentication-port=${authentication_port} accounting-port=${accounting_port} timeout=3s`,
    `/radius incoming set accept=yes port=${disconnect_port}`,
    '/ip hotspot profile set [find] use-radius=yes radius-accounting=yes radius-interim-update=5m login-by=http-pap,mac',
    `/ip hotspot walled-garden add dst-host="${hostOf(portal)}"`,
  ].join('\n'),
  note: 'Without “radius incoming”, a guest cannot be disconnected from here.',
})

const coova = ({ host, authentication_port, accounting_port, nas_identifier, secret, portal }: Known): SetupText => ({
  where: 'Add these lines to /etc/chilli/defaults, and restart chilli.',
  lines: [
    `HS_NASID="${nas_identifier}"`,
    `HS_RADIUS="${host}"`,
    `HS_RADIUS2="${host}"`,
    `HS_RADAUTH=${authentication_port}`,
    `HS_RADACCT=${accounting_port}`,
    `HS_RADSECRET="${secret}"`,
    `HS_UAMFORMAT="${portal}"`,
    `HS_UAMSECRET="${secret}"`,
    `HS_UAMALLOW="${hostOf(portal)}"`,
    'HS_MACAUTH=on',
    `HS_DEFINTERIMINTERVAL=${interim_s}`,
    `HS_COAPORT=${disconnect_port}`,
  ].join('\n'),
  note: 'Unless “swapoctets” is set, it counts from the guest’s side.',
})

const opennds = ({ nas_identifier, secret, portal }: Known): SetupText => ({
  where: 'Paste this into a shell on the gateway. openNDS speaks no RADIUS: the secret is the key of its forwarding.',
  lines: [
    `uci set opennds.@opennds[0].gatewayname='${nas_identifier}'`,
    `uci set opennds.@opennds[0].fasremotefqdn='${hostOf(portal)}'`,
    `uci set opennds.@opennds[0].fasport='${portOf(portal)}'`,
    `uci set opennds.@opennds[0].faspath='${new URL(portal).pathname}'`,
    "uci set opennds.@opennds[0].fas_secure_enabled='1'",
    `uci set opennds.@opennds[0].faskey='${secret}'`,
    'uci commit opennds && service opennds restart',
  ].join('\n'),
  note:
    'It reports nothing and takes no orders: time, data and speed of a package end nobody here, nor does a check-out, a block or ' +
    'a disconnect. Set its own sessiontimeout and its own rates, which hold for everybody.',
})

const portOf = (portal: string) => {
  const { port, protocol } = new URL(portal)
  return port || (protocol === 'https:' ? '443' : '80')
}

/** By the seeded ids of the types. */
const texts: Record<number, (known: Known) => SetupText> = {
  1: mikrotik,
  2: coova,
  3: opennds,
  4: byOwnPage(
    'In UniFi Network, add a RADIUS profile with these values and accounting on. Choose it for the MAC authentication of ' +
      'the guest network, and for its hotspot portal where your version offers RADIUS there.',
    'It takes the length of a session from RADIUS, and neither speed nor volume.',
  ),
  5: byOwnPage(
    'In the Omada controller, add a portal with a RADIUS server for the guest network, and add this server to it.',
  ),
  6: byOwnPage(
    'On the controller, add both an authentication and an accounting server, and choose them for the hotspot service.',
  ),
  7: byOwnPage(
    'Add a RADIUS server with dynamic authorisation on, and an internal captive portal that uses it.',
    'Speed limits go by role here: the roles of your packages must exist on the controller.',
  ),
  8: byOwnPage(
    'In the dashboard, open the access control of the guest network, and choose sign-on with your own RADIUS server.',
    'RADIUS packets come from the cloud and not from the site: the NAS identifier or the MAC address must be right.',
  ),
  9: byOwnPage(
    'In cnMaestro, open the guest access of the WLAN, choose the page of the access point with RADIUS, and add the server.',
  ),
  10: byOwnPage(
    'Under Configuration, add the server to the RADIUS client, and enable AAA with the internal web server.',
  ),
  11: byOwnPage(
    'Under System, add a RADIUS authentication server, and choose it in the captive portal’s zone.',
    'It takes no disconnect: turn on re-authentication every minute.',
  ),
  12: byOwnPage(
    'Under System, add a RADIUS server, and choose it in the captive portal’s zone.',
    'It takes the length of a session from RADIUS, and neither speed nor volume.',
  ),
  13: generic,
}

export const setupTextOf = (gateway_type_id: number, known: Known): SetupText =>
  (texts[gateway_type_id] ?? generic)(known)

/** DHCP option 114 (RFC 8910): a command if the make has one, else for dnsmasq, on which most others are built. */
export const captiveLineOf = (gateway_type_id: number, address: string): string =>
  gateway_type_id === 1
    ? `/ip dhcp-server option add name=captive-portal code=114 value="'${address}'"`
    : `dhcp-option=114,${address}`
