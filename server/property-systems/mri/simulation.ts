// Simulation of MRI: its API as its list of calls describes it, as strict as that: the user name in four parts, the names of the calls,
// the property, pages with a link to the next one.

export interface SimulatedResident {
  unit: string
  building?: string
  lease: string
  first: string
  last: string
  status?: 'C' | 'O'
  moves_out?: string | null
  email?: string
  phone?: string | null
  moved_in?: string
  /** MRI takes no payments of theirs. */
  is_blocked?: boolean
}

export interface SimulatedMri {
  residents: SimulatedResident[]
  /** Breaks off after so many pages. */
  pages_max: number
  asked: string[]
  /** As it answers over HTTPS at `mri.example.com`. */
  answer(url: string, headers: Readonly<Record<string, string>>): { status: number; body: Buffer }
}

const expected = `Basic ${Buffer.from('C100/LIVE/wifi/key:secret').toString('base64')}`
const page_rows = 2

export function openMri(property: string): SimulatedMri {
  const json = (status: number, value: unknown) => ({ status, body: Buffer.from(JSON.stringify(value)) })
  const mri: SimulatedMri = {
    residents: [],
    pages_max: Infinity,
    asked: [],
    answer(address, headers) {
      const { pathname, searchParams: asked, host } = new URL(address)
      if (host !== 'mri.example.com' || pathname !== '/mriapiservices/api.asp') return json(404, {})
      if (headers['authorization'] !== expected) return json(401, {})
      const api = asked.get('$api') ?? ''
      mri.asked.push(api)
      if (asked.get('$format') !== 'json' || asked.get('RMPROPID') !== property) return json(400, {})
      const rows = api === 'MRI_S-PMRM_ResidentsByPropertyID' ? residents() : api === leases_api ? leases() : null
      if (!rows) return json(400, {})
      const skip = Number(asked.get('$skip') ?? 0)
      if (skip / page_rows >= mri.pages_max) return json(500, {})
      const next = new URL(address)
      next.searchParams.set('$skip', String(skip + page_rows))
      const isLast = skip + page_rows >= rows.length
      return json(200, {
        'odata.metadata': 'https://mri.example.com/$metadata',
        value: rows.slice(skip, skip + page_rows),
        ...(!isLast && { nextLink: next.href }),
      })
    },
  }
  const leases_api = 'MRI_S-PMRM_ResidentLeaseDetailsByPropertyID'
  const residents = () =>
    mri.residents.map(
      (
        { unit, building = 'A', lease, first, last, status = 'C', email = '', phone = null, moved_in = '2026-09-01' },
        at,
      ) => ({
        ResidentNameID: `N${at}`,
        RMPROPID: property,
        RMBLDGID: building,
        UNITID: unit,
        RMLEASEID: lease,
        ResidentType: 'R',
        Status: status,
        FirstName: first,
        LastName: last,
        PhoneNumber: phone,
        Email: email,
        OccupantOccupyDate: `${moved_in}T00:00:00`,
        LastUpdateDate: '2026-09-01T00:00:00',
      }),
    )
  const leases = () =>
    mri.residents.map(({ unit, lease, moves_out = null, is_blocked = false }) => ({
      UnitID: unit,
      LeaseID: lease,
      ResidentStatus: 'Current',
      LeaseStart: '2026-09-01T00:00:00',
      LeaseEnd: '2026-10-01T00:00:00',
      LeaseMoveOut: moves_out,
      LeaseBalance: 0,
      IsCurrent: 'Y',
      PayAllowed: 'Y',
      BlockEPayments: is_blocked ? 'Y' : 'N',
    }))
  return mri
}
