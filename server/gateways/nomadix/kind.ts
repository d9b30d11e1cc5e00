// Nomadix: the guest's browser opens an address of the box, which it answers to under a name of the maker's. Its speeds are in kbit/s.
import { gigawordsOf } from '#server/radius-codec/packet.ts'
import { vendorNumber, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { arrivalBy, withoutPort, ends_by_time, externalPortal, takesTime } from '#server/gateways/external-portal.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'

const vendor = 3309
const nomadix_attributes = {
  bw_up: { vendor, type: 1, holds: 'number', name: 'Nomadix-Bw-Up' },
  bw_down: { vendor, type: 2, holds: 'number', name: 'Nomadix-Bw-Down' },
  max_bytes_total: { vendor, type: 28, holds: 'number', name: 'Nomadix-MaxBytesTotal' },
  max_gigawords_total: { vendor, type: 29, holds: 'number', name: 'Nomadix-MaxGigawordsTotal' },
} as const satisfies Record<string, VendorAttribute>
const usual_name = 'login.nomadix.com'

export const nomadix = externalPortal({
  id: 10,
  name: 'Nomadix',
  honours: { ...takesTime, speed: 'yes', data: 'yes' },
  note: `The NAS identifier must be the gateway’s own ID. ${ends_by_time}`,
  walled_garden: [usual_name],
  where:
    'Under Configuration, add the server to the RADIUS client, and enable AAA with an external web server at this page, ' +
    'with the parameters UI, MA and OS.',
  arrival: arrivalBy({ marks: ['UI', 'MA'], nas_identifier: 'UI', device: 'MA', wanted: 'OS' }),
  hostOf: (_query, registered) => registered ?? usual_name,
  letIn: (_redirect, { host }, { username, password, back }) => ({
    by: 'address',
    address: `http://${withoutPort(host)}:1111/usg/process`,
    fields: { OS: back, username, password },
  }),
  radius: {
    dictionary: nomadix_attributes,
    accept: limitsBy({
      speed: (kbits) => [
        vendorNumber(nomadix_attributes.bw_up, kbits),
        vendorNumber(nomadix_attributes.bw_down, kbits),
      ],
      volume(bytes) {
        const { low, gigawords } = gigawordsOf(bytes)
        return [
          vendorNumber(nomadix_attributes.max_bytes_total, low),
          vendorNumber(nomadix_attributes.max_gigawords_total, gigawords),
        ]
      },
    }),
  },
})
