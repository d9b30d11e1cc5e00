// Definition of central web authentication: what to enter on a controller or a switch, in the words of Cisco's documents.
import { interim_s } from '#contract/gateway-kinds.ts'
import { hostOf, radiusValues, type GatewayDefinition, type SetUpOf } from '#server/gateways/definition.ts'
import { listIn } from './accept.ts'

/** A name of a list or a server stands on a command line: what is not a name there is left out. */
const nameIn = (text: string) => text.replaceAll(/[^\w.-]/g, '')

const lines = ({
  host,
  authentication_port,
  accounting_port,
  nas_identifier,
  disconnect_port,
  secret,
  portal,
  ...gateway
}: SetUpOf) => {
  const list = nameIn(listIn(gateway.settings) ?? '')
  const page = hostOf(portal)
  return [
    'aaa new-model',
    'radius server FOYER',
    ` address ipv4 ${host} auth-port ${authentication_port} acct-port ${accounting_port}`,
    ` key ${secret}`,
    'aaa group server radius FOYER',
    ' server name FOYER',
    'aaa authorization network FOYER group FOYER',
    'aaa accounting identity FOYER start-stop group FOYER',
    `aaa accounting update newinfo periodic ${interim_s / 60}`,
    'aaa server radius dynamic-author',
    ` client ${host} server-key ${secret}`,
    ` port ${disconnect_port}`,
    `radius-server attribute 32 include-in-access-req format ${nas_identifier}`,
    `radius-server attribute 32 include-in-accounting-req format ${nas_identifier}`,
    `ip access-list extended ${list}`,
    ' deny udp any any eq domain',
    ' deny udp any any eq bootps',
    ` deny ip any host ${page}`,
    ` deny ip host ${page} any`,
    ' permit tcp any any eq www',
    'wireless profile policy GUESTS',
    ' aaa-override',
    ' nac',
    ' accounting-list FOYER',
    'wlan GUESTS',
    ' mac-filtering FOYER',
  ].join('\n')
}

export const centralSetUp = (gateway: SetUpOf): ReturnType<GatewayDefinition['setUp']> => ({
  where:
    'Central web authentication: the WLAN has no web authentication of its own, but MAC filtering by this server, AAA override and NAC ' +
    '(RADIUS NAC on AireOS); a switch has MAC authentication bypass (mab) on its ports. On IOS-XE the redirect ACL sends what it ' +
    'permits to the portal; on AireOS it is the other way round, and what it permits passes. Allow this server as a client of dynamic ' +
    'authorisation (support for CoA), and register its port here. The lines are for Catalyst 9800 and switches; on AireOS enter ' +
    'the values.',
  lines: lines(gateway),
  values: [
    { name: 'Redirect ACL', value: listIn(gateway.settings) ?? '' },
    { name: 'Allowed by the redirect ACL', value: `DNS, DHCP, ${hostOf(gateway.portal)}` },
    { name: 'Dynamic authorisation client (CoA)', value: gateway.host },
    ...radiusValues(gateway),
  ],
})
