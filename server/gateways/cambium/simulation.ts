// Simulation of a Cambium access point: it knows the guest by the query, which must come back as it was.
import {
  bytesIn,
  dashed,
  formBox,
  must,
  namesDevice,
  queryText,
  wanted,
  wisprKept,
  type SentGuest,
} from '#server/gateways/simulated.ts'

const sentQuery = ({ gateway, mac_address }: SentGuest) => ({
  ga_ssid: 'Guests',
  ga_ap_mac: dashed(gateway.mac_address),
  ga_nas_id: gateway.nas_identifier,
  ga_srvr: '10.101.1.5',
  ga_cmac: dashed(mac_address),
  ga_Qv: 'eUROBR86HBgAGDEEVgQAGw4UWRUCACYVMgFPNVIyMDI=',
  ga_orig_url: wanted,
})

export const simulation = formBox({
  gateway_type_id: 9,
  query: sentQuery,
  takes({ ga_user, ga_pass }, to, sent) {
    must(
      ['http 880', 'https 444'].includes(`${to.protocol.slice(0, -1)} ${to.port}`),
      `a Cambium does not listen at ${to.href}`,
    )
    must(to.pathname === '/cgi-bin/hotspot_login.cgi', `a Cambium has no ${to.pathname}`)
    must(to.search === queryText(sentQuery(sent)), 'the query is not the one that was sent')
    return { username: ga_user, password: ga_pass }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: `${dashed(gateway.mac_address)}:Guests`,
    calling_station_id: dashed(mac_address),
  }),
  reads: (accept) => ({ ...wisprKept(accept), bytes: bytesIn(accept, 17_713, 155, 156) }),
  obeys: namesDevice,
})
