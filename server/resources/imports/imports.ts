// Imports: records from a spreadsheet, checked before anything is written.
import * as contract from '#contract/imports.ts'
import type { Parsed } from '#contract/endpoint.ts'
import { serve, staged } from '#server/api/serve.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { UploadedFile } from '#server/files/receive.ts'
import { messages } from '#contract/messages.ts'
import { invalid } from '#server/errors/refused.ts'
import { accountImport } from '#server/imports/accounts.ts'
import { deviceImport } from '#server/imports/devices.ts'
import { roomImport } from '#server/imports/rooms.ts'
import { openImport, type ImportRequest } from '#server/imports/engine.ts'
import { foundProblems, problemsFile, problemsOfImport } from '#server/imports/problems-file.ts'
import type { CellValue } from '#server/imports/definition.ts'
import type { StoredRecord } from '#server/imports/store.ts'
import { mailsOfSignIns, textsOfSignIns } from '#server/resources/accounts/guest-sign-ins.ts'
import { postMails, writeMails, type WrittenMail } from '#server/deliveries/mails.ts'
import { postTexts, writeTexts, type WrittenText } from '#server/deliveries/texts.ts'
import type { Services } from '#server/services.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import { listRows } from '#server/entities/lists.ts'
import { writeSealedOfMany } from '#server/entities/sealed.ts'
import { refuseOverfull } from '#server/resources/accounts/account-limits.ts'
import { passwordsOf } from '#server/resources/accounts/accounts.ts'
import { guestsInRecord, storeGuests } from '#server/imports/imported-guests.ts'
import { refuseLostZeros } from './lost-zeros.ts'
import { Moves, refuseWithoutRight, type RoomImportRequest } from '#server/imports/moves.ts'
import { applyOverwritten, overwrittenBy } from './overwritten.ts'
import { imports, undo } from './undone-imports.ts'

type AccountsInput = Parsed<typeof contract.accounts>
type DevicesInput = Parsed<typeof contract.devices>
type RoomsInput = Parsed<typeof contract.rooms>

interface AccountImportRequest extends ImportRequest {
  mail_sign_ins: boolean
  text_sign_ins: boolean
  /** What comes of it, once all records are stored. */
  mails: WrittenMail[]
  texts: WrittenText[]
}

const accountImportRequest = (input: AccountsInput): AccountImportRequest => ({
  file: input.AccountImport as UploadedFile,
  sheet: input.sheet ?? null,
  day_order: input.day_order ?? null,
  property_id: input.property_id ?? null,
  chosen: { package_id: input.package_id ?? null, account_type_id: input.account_type_id },
  skip_problems: input.skip_problems,
  dry_run: input.dry_run,
  mail_sign_ins: input.mail_sign_ins,
  text_sign_ins: input.text_sign_ins,
  mails: [],
  texts: [],
})

const deviceImportRequest = (input: DevicesInput): ImportRequest => ({
  file: input.DeviceImport as UploadedFile,
  sheet: input.sheet ?? null,
  day_order: input.day_order ?? null,
  property_id: input.property_id ?? null,
  chosen: { package_id: input.package_id ?? null, mac_category_id: input.mac_category_id ?? null },
  skip_problems: input.skip_problems,
  dry_run: input.dry_run,
})

/** Rooms are always those of one property. */
const roomImportRequest = ({ owner }: Caller, input: RoomsInput): RoomImportRequest => {
  const property_id = input.property_id ?? (owner.owner_type === 'Property' ? owner.owner_id : null)
  if (property_id === null) throw invalid({ property_id: [messages.fields.required] })
  return {
    file: input.RoomImport as UploadedFile,
    sheet: input.sheet ?? null,
    day_order: input.day_order ?? null,
    property_id,
    chosen: { package_id: input.package_id ?? null },
    skip_problems: input.skip_problems,
    ahead: input.mode !== 'add',
    dry_run: input.dry_run,
    mode: input.mode,
    confirm_moves_out: input.confirm_moves_out ?? null,
    moves: new Moves(),
  }
}

const textOf = (value: CellValue | undefined) => (typeof value === 'string' ? value : null)

/** Sealed here, with the key that the reader of the file never gets. An empty cell takes no password away. */
const storePasswords = (scope: Scope, seal: Seal, stored: StoredRecord[]) =>
  writeSealedOfMany(
    scope,
    passwordsOf(seal),
    'password',
    new Map(
      stored.flatMap(({ id, record: { password } }) => (typeof password === 'string' ? [[id, password] as const] : [])),
    ),
  )

/** Whoever has been here before knows how to sign in. */
const newGuests = (stored: StoredRecord[]) => ({
  passwords: new Map(
    stored.flatMap(({ id, created, record: { password } }) =>
      created && typeof password === 'string' ? [[id, password] as const] : [],
    ),
  ),
  onlyWhereWanted: false,
})

export default ({ tenancy, seal, queue }: Pick<Services, 'seal' | 'tenancy' | 'queue'>) => {
  const accounts = openImport<AccountImportRequest>(accountImport, 'AccountImport', tenancy, {
    refuseOverfull,
    afterStoring: async (scope, stored, { mail_sign_ins, text_sign_ins, mails, texts }) => {
      await storePasswords(scope, seal, stored)
      const sought = newGuests(stored)
      if (mail_sign_ins) mails.push(...(await writeMails(scope, await mailsOfSignIns(scope, sought))))
      if (text_sign_ins) texts.push(...(await writeTexts(scope, (await textsOfSignIns(scope, sought)).texts)))
      return undefined
    },
  })

  const devices = openImport(deviceImport, 'DeviceImport', tenancy)

  const rooms = openImport<RoomImportRequest>(roomImport, 'RoomImport', tenancy, {
    compare: refuseLostZeros,
    gather: (scope, records, found, asked) => asked.moves.gather(scope, records, found, asked),
    weigh: (scope, asked, unplaced_rows) => asked.moves.weigh(scope, asked, unplaced_rows),
    afterStoring: storeGuests,
    finish: (scope, asked, import_id) => asked.moves.carryOut(scope, import_id),
  })

  const applyStored = async (scope: Scope, id: number | null) => {
    if (id !== null) await applyOverwritten(scope, queue, await overwrittenBy(scope, id))
  }

  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, imports, input),
    undo: ({ scope, input }) => undo(scope, queue, input.id),
    problems: async ({ scope, input: { id, format } }) => {
      const { file_name, found } = await problemsOfImport(scope, id)
      await logActivityOfMany(scope, { action: 'export', entity: imports, ids: [id], after: { format } })
      return problemsFile(format, file_name, found)
    },
    problemsOfCheck: async ({ input: { file_name, problems, left_out, format } }) =>
      problemsFile(format, file_name, foundProblems(problems, left_out)),
    accounts: staged(
      ({ caller, input }: { caller: Caller; input: AccountsInput }) =>
        accounts.read(caller, accountImportRequest(input)),
      async ({ scope, input, prepared }) => {
        const asked = accountImportRequest(input)
        const { preview, ...result } = await accounts.run(scope, asked, prepared)
        await applyStored(scope, result.id)
        await postMails(scope, queue, asked.mails)
        await postTexts(scope, queue, asked.texts)
        return {
          ...result,
          preview: preview.map(({ record, ...row }) => ({
            ...row,
            name: String(record['name']),
            email: textOf(record['email']),
          })),
        }
      },
      ({ caller, input, error }) => accounts.keepFailure(caller, accountImportRequest(input), error),
    ),
    devices: staged(
      ({ caller, input }: { caller: Caller; input: DevicesInput }) => devices.read(caller, deviceImportRequest(input)),
      async ({ scope, input, prepared }) => {
        const { preview, ...result } = await devices.run(scope, deviceImportRequest(input), prepared)
        await applyStored(scope, result.id)
        return {
          ...result,
          preview: preview.map(({ record, ...row }) => ({
            ...row,
            name: String(record['name']),
            mac_address: textOf(record['mac_address']),
          })),
        }
      },
      ({ caller, input, error }) => devices.keepFailure(caller, deviceImportRequest(input), error),
    ),
    rooms: staged(
      ({ caller, input }: { caller: Caller; input: RoomsInput }) => {
        refuseWithoutRight(caller, input.mode)
        return rooms.read(caller, roomImportRequest(caller, input))
      },
      async ({ scope, input, prepared }) => {
        const asked = roomImportRequest(scope, input)
        const { preview, ...result } = await rooms.run(scope, asked, prepared)
        return {
          ...result,
          ...asked.moves.summary,
          mode: asked.mode,
          notes: [...result.notes, ...asked.moves.notes],
          preview: preview.map(({ record, ...row }) => ({
            ...row,
            name: String(record['number']),
            guests:
              guestsInRecord({ record })
                .map(({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' '))
                .join(', ') || null,
          })),
        }
      },
      ({ caller, input, error }) => rooms.keepFailure(caller, roomImportRequest(caller, input), error),
    ),
  })
}
