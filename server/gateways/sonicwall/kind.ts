// SonicWall: guests come with a session of its own, which its interface is called to let in.
import { controller_parameters, isCalled } from '#server/gateways/controller-makes.ts'
import { addressIn, arrivalBy, externalPortal, takesTime } from '#server/gateways/external-portal.ts'
import { first } from '#server/gateways/read.ts'
import { openSonicWall } from './controller.ts'

const read = arrivalBy({
  marks: ['sessionId', 'mac', 'mgmtBaseUrl'],
  gateway_mac: ['ufi'],
  device: 'mac',
  wanted: 'req',
})

export const sonicWall = externalPortal({
  id: 24,
  name: 'SonicWall',
  honours: { ...takesTime, usage: 'no' },
  note:
    'It is called at its address, the one that its redirects name as mgmtBaseUrl, which must be one that can be reached from here. It ' +
    'only keeps the length of a session, reports no usage and cannot end a session early: guests stay online until the granted time is ' +
    'over, so keep packages for it short. Its host is its address in the guest network, by which its redirects are known.',
  where:
    'Under the guest services of the zone, turn on external guest authentication with this page as the login page and this server’s ' +
    'address as the client of its web service. The RADIUS values are only for registered devices.',
  parameters: controller_parameters('https://10.0.0.6:4043'),
  controller: { open: openSonicWall, isCalled, is_silent: true },
  isSetUp: ({ settings }) => isCalled(settings),
  hostOf: (_query, registered) => registered ?? '',
  arrival(redirect) {
    const found = read(redirect)
    return found && { ...found, host: addressIn(first(redirect.query, 'mgmtBaseUrl'))?.hostname ?? null }
  },
  letIn: ({ query }) => ({ by: 'call', fields: { session: query['sessionId'] ?? '' } }),
})
