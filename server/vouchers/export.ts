// Export: a batch's codes as a file, for a spreadsheet or for a printer.
import { sql } from 'kysely'
import type { formats, papers } from '#contract/voucher-batches.ts'
import { authMethods, portalTypes } from '#contract/portals.ts'
import { queryOfCode, shown } from '#contract/vouchers.ts'
import type { FileAnswer } from '#server/files/send.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import type { Column } from '#server/tables/table.ts'
import { writeTable } from '#server/tables/write.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { isShownAt } from '#server/entities/shown-portal.ts'
import type { StoredCode } from '#server/secrets/voucher-codes.ts'
import { hoursBesideEnd } from '#server/vouchers/find.ts'
import { printSlips } from '#server/vouchers/print.ts'
import { voucherSlip, type SlipFacts } from '#server/vouchers/slip.ts'
import { joinCode, storedCode } from '#server/secrets/stored-code.ts'

interface Code {
  id: number
  code: string
  redeemed_at: string | null
  taken_back_at: string | null
  expires_at: string | null
}
type Later = <R>(work: (scope: Scope) => Promise<R>) => Promise<R>
interface Wanted {
  id: number
  format: (typeof formats)[number]
  paper: (typeof papers)[number]
  /** Where guests' pages are. */
  portal_url: string
}

/** The facts on every slip of the batch. */
export async function slipFacts(scope: Scope, id: number): Promise<SlipFacts> {
  const [facts] = await scope.run(sql<SlipFacts>`
    select b.batch_number, b.name, b.quantity, b.valid_from, b.expires_at as ends_at,
      p.name as package_name, ${hoursBesideEnd(sql`p.session_time_hrs`)} as session_time_hrs, p.recurs,
      case when b.devices > 0 then b.devices else p.max_users end as max_users, b.devices > 1 as shared,
      case when b.volume_gb > 0 then b.volume_gb else p.volume_gb end as volume_gb,
      case when b.speed_mbps > 0 then b.speed_mbps else p.speed_mbps end as speed_mbps,
      shown_at.network_name, shown_at.portal_public_id, coalesce(h.name, g.name) as place, coalesce(h.time_zone, c.time_zone) as time_zone,
      exists (select from voucher_batch_passwords as w where w.customer_id = b.customer_id and w.voucher_batch_id = b.id) as has_password
    from voucher_batches as b
    join packages as p on p.customer_id = b.customer_id and p.id = b.package_id
    join customers as c on c.id = b.customer_id
    left join properties as h on h.customer_id = b.customer_id and h.id = b.property_id
    left join groups as g on g.customer_id = b.customer_id and g.id = b.group_id
    cross join lateral (
      select case when count(o.id) = count(*) and count(distinct o.id) = 1 then min(o.public_id) end as portal_public_id,
        case when count(own.network_name) = count(*) and count(distinct own.network_name) = 1 then min(own.network_name) end as network_name
      from properties as own left join portals as o on ${isShownAt('o', 'own')}
        and o.portal_type_id <> ${portalTypes.external}
        and ${authMethods.voucher} = any(o.auth_method_ids)
      where own.customer_id = b.customer_id and own.deleted_at is null
        and (own.id = b.property_id or b.property_id is null and own.group_id = b.group_id)) as shown_at
    where b.id = ${id} and ${scope.inReach('voucher_batches', 'b')}`)
  if (!facts) throw notFound()
  return facts
}

/** Codes are read page by page while the file is sent, one transaction each: a slow reader holds no resources. */
export async function exportBatch(
  scope: Scope,
  { id, format, paper, portal_url }: Wanted,
  later: Later,
): Promise<FileAnswer> {
  const facts = await slipFacts(scope, id)
  const codes = codesOf(id, facts.quantity, later)
  const file_name = `vouchers-${facts.batch_number}`
  if (format === 'pdf') {
    const [good] = await scope.run(sql`
      select from vouchers as t where t.voucher_batch_id = ${id} and t.taken_back_at is null and ${scope.inReach('vouchers', 't')} limit 1`)
    if (!good) throw invalid({ id: [noneToPrint] })
    return {
      file_name: `${file_name}.pdf`,
      content_type: 'application/pdf',
      content: printSlips({ ...voucherSlip(facts), scanned: addressOf(facts, portal_url) }, printed(codes), paper),
    }
  }
  return writeTable(format, {
    title: facts.batch_number,
    file_name,
    asked: [],
    columns: columnsOf(facts),
    pages: codes,
    zone: facts.time_zone,
  })
}

/** A code that was taken back lets nobody in. */
async function* printed(codes: AsyncIterable<Code[]>) {
  for await (const page of codes) yield page.filter(({ taken_back_at }) => taken_back_at === null)
}
const noneToPrint = 'All codes of this batch have been taken back.'

/** A guest's camera opens the portal with the code filled in. Where the portal is not certain, it reads the code only. */
const addressOf =
  ({ portal_public_id }: SlipFacts, portal_url: string) =>
  (code: string) =>
    portal_public_id === null ? code : `${portal_url}/p/${portal_public_id}${queryOfCode(code)}`

const codes_of_page = 1000

/** If a batch is deleted in the middle, the file ends with an error, so that nobody takes it for complete. */
async function* codesOf(batch_id: number, quantity: number, later: Later): AsyncGenerator<Code[]> {
  let [after_id, given] = [0, 0]
  while (given < quantity) {
    const page = await later(async (scope) => {
      const rows = await scope.read(sql<Omit<Code, 'code'> & StoredCode>`
        select t.id, ${storedCode('t')}, t.redeemed_at, t.taken_back_at, t.expires_at from vouchers as t ${joinCode('t')}
        where t.voucher_batch_id = ${batch_id} and t.id > ${after_id} and ${scope.inReach('vouchers', 't')}
        order by t.id limit ${codes_of_page}`)
      return rows.map((row): Code => ({ ...row, code: scope.codes.open(row) }))
    })
    if (page.length === 0) throw new Error(`batch ${batch_id} gave ${given} of its ${quantity} codes`)
    yield page
    after_id = page.at(-1)?.id ?? after_id
    given += page.length
  }
}

const columnsOf = (facts: SlipFacts): Column<Code>[] => [
  { key: 'code', title: 'Code', kind: 'text', value: ({ code }) => shown(code) },
  { key: 'batch_number', title: 'Batch', kind: 'text', value: () => facts.batch_number },
  { key: 'place', title: 'Good in', kind: 'text', value: () => facts.place },
  { key: 'package', title: 'Package', kind: 'text', value: () => facts.package_name },
  { key: 'volume_gb', title: 'Data (GB)', kind: 'gigabytes', value: () => facts.volume_gb },
  { key: 'speed_mbps', title: 'Speed (Mbps)', kind: 'number', value: () => facts.speed_mbps },
  { key: 'max_users', title: 'Devices', kind: 'number', value: () => facts.max_users },
  { key: 'session_time_hrs', title: 'Time (hours)', kind: 'number', value: () => facts.session_time_hrs },
  { key: 'valid_from', title: 'Valid from', kind: 'moment', value: () => facts.valid_from },
  { key: 'expires_at', title: 'Expires', kind: 'moment', value: ({ expires_at }) => expires_at ?? facts.ends_at },
  { key: 'has_password', title: 'Password needed', kind: 'text', value: () => facts.has_password },
  { key: 'redeemed_at', title: 'First used', kind: 'moment', value: ({ redeemed_at }) => redeemed_at },
  { key: 'name', title: 'Name', kind: 'text', value: () => facts.name },
  { key: 'taken_back_at', title: 'Taken back', kind: 'moment', value: ({ taken_back_at }) => taken_back_at },
]
