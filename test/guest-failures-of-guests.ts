// Guest failures of vouchers, accounts and devices.
import type { Failure, Mended, Site } from './guest-failures.ts'
import { aMacAddress } from './foyer.ts'
import { withCode } from '#test/voucher-codes.ts'

/** Signs in with a voucher, and then with the new one that fixes it. */
const byVoucher = (at: Site, typed: string) => async (fixed?: Mended) =>
  at.signIn({ user_name: fixed?.id === undefined ? typed : await at.codeOf(fixed.id) })
const again = (at: Site, typed: string) => () => at.signIn({ user_name: typed })

export const voucherFailures: Failure[] = [
  {
    name: 'an unknown code',
    seed: async (at) => ({ search: 'zzzz-zzzz-zzzz', tries: byVoucher(at, 'ZZZZ-ZZZZ-ZZZZ') }),
    reason: 'unknown_user',
    says: /Nobody here signs in with “••••-••••-ZZZZ”/,
    fix: /new voucher/,
  },
  {
    name: 'a voucher of another property',
    seed: async (at) => {
      const { typed } = await (await anotherSite(at)).voucher()
      return { search: typed, kind: 'voucher', tries: byVoucher(at, typed) }
    },
    reason: 'wrong_property',
    says: /is for .*, and was tried at /,
    fix: /new voucher/,
  },
  {
    name: 'a voucher of another property, asked where it was tried',
    seed: async (at) => {
      const { typed } = await (await anotherSite(at)).voucher()
      const asks = await at.foyer.invited(at.editor, {
        owner_type: 'Property',
        owner_id: at.property.id,
        user_type_id: 3,
      })
      return { search: typed, kind: 'attempt', asks, tries: byVoucher(at, typed) }
    },
    reason: 'wrong_property',
    says: /is for another property/,
    fix: /new voucher/,
  },
  {
    name: 'a disabled batch',
    seed: async (at) => {
      const { typed, batch } = await at.voucher()
      await at.sql('update voucher_batches set active = false where id = $1', batch.id)
      return { search: typed, tries: again(at, typed) }
    },
    reason: 'batch_disabled',
    says: /The batch B-\d+-\d+ of this voucher is disabled/,
    fix: /Enable batch/,
  },
  {
    name: 'a disabled batch of the whole group, asked in a property',
    seed: async (at) => {
      const group = await at.foyer.group(at.editor)
      await at.sql('update properties set group_id = $2 where id = $1', at.property.id, group.id)
      const { typed, batch } = await at.voucher({}, { property_id: null, group_id: group.id })
      await at.sql('update voucher_batches set active = false where id = $1', batch.id)
      const asks = await at.foyer.invited(at.editor, {
        owner_type: 'Property',
        owner_id: at.property.id,
        user_type_id: 3,
      })
      return { search: typed, asks, tries: byVoucher(at, typed) }
    },
    reason: 'batch_disabled',
    says: /is disabled/,
    fix: /new voucher/,
  },
  {
    name: 'a withdrawn code',
    seed: async (at) => {
      const { typed, batch } = await at.voucher()
      await at.sql('update vouchers set taken_back_at = now() where voucher_batch_id = $1', batch.id)
      return { search: typed, tries: again(at, typed) }
    },
    reason: 'taken_back',
    says: /was taken back/,
    fix: /Give the code again/,
  },
  {
    name: 'a disabled package',
    seed: async (at) => {
      const { typed, package_id } = await at.voucher()
      await at.sql('update packages set active = false where id = $1', package_id)
      return { search: typed, tries: again(at, typed) }
    },
    reason: 'package_disabled',
    says: /The package behind .* is disabled/,
    fix: /Enable the package/,
    editors: true,
  },
  {
    name: 'a disabled package, fixed by a voucher of the property’s',
    seed: async (at) => {
      const { typed, package_id } = await at.voucher()
      await at.sql('update packages set active = false where id = $1', package_id)
      return { search: typed, tries: byVoucher(at, typed) }
    },
    reason: 'package_disabled',
    says: /package/,
    fix: /new voucher/,
  },
  {
    name: 'a voucher that is not valid yet',
    seed: async (at) => {
      const { typed } = await at.voucher({}, { valid_from: new Date(Date.now() + 86_400_000).toISOString() })
      return { search: typed, tries: byVoucher(at, typed) }
    },
    reason: 'not_yet_valid',
    says: /is not valid before/,
    fix: /new voucher/,
  },
  {
    name: 'a batch that has ended',
    seed: async (at) => {
      const { typed, batch } = await at.voucher()
      await at.sql(`update voucher_batches set expires_at = now() - interval '1 hour' where id = $1`, batch.id)
      return { search: typed, tries: byVoucher(at, typed) }
    },
    reason: 'expired',
    says: /expired on /,
    fix: /new voucher/,
  },
  {
    name: 'a voucher whose time is over, by the last four symbols',
    seed: async (at) => {
      const { typed } = await at.voucher({ session_time_hrs: 2 })
      await at.online({ user_name: typed })
      await at.sql(
        `update vouchers set expires_at = now() - interval '1 minute' where ${withCode()}`,
        typed.replaceAll('-', ''),
      )
      return { search: typed.slice(-4), tries: again(at, typed) }
    },
    reason: 'time_used_up',
    says: /The time of .* is used up/,
    fix: /Renew the allowance/,
  },
  {
    name: 'a voucher whose data is used up',
    seed: async (at) => {
      const { typed } = await at.voucher({ volume_gb: 1 })
      await at.sql(`update vouchers set bytes_used = 2000000000 where ${withCode()}`, typed.replaceAll('-', ''))
      return { search: typed.toLowerCase(), tries: again(at, typed) }
    },
    reason: 'data_used_up',
    says: /The data of .* is used up/,
    fix: /Renew the allowance/,
  },
  {
    name: 'a voucher that another device uses',
    seed: async (at) => {
      const { typed } = await at.voucher({ max_users: 1 })
      await at.signIn({ user_name: typed })
      return { search: typed, tries: again(at, typed) }
    },
    reason: 'device_limit',
    says: /on as many devices as it allows/,
    fix: /Free the place of/,
  },
  {
    name: 'a voucher without the batch’s password',
    seed: async (at) => {
      const { typed } = await at.voucher({}, { password: 'breakfast' })
      return { search: typed, tries: byVoucher(at, typed) }
    },
    reason: 'wrong_password',
    says: /The password that was typed at .* is wrong/,
    fix: /new voucher/,
  },
]

const anotherSite = async (at: Site) => (await import('./guest-failures.ts')).openSite(at.radius)

const right = 'right password'
type Account = Awaited<ReturnType<Site['account']>>
const asAccount =
  (at: Site, { username }: Account) =>
  () =>
    at.signIn({ user_name: username ?? '', password: right })

/** An account with a `fault`, and the search that finds it. */
const account = (
  name: string,
  fault: {
    values?: object
    set?: string
    sought?: (account: Account) => string
    wifi?: object
    used?: [number, number]
  },
  rest: Omit<Failure, 'name' | 'seed'>,
): Failure => ({
  name,
  seed: async (at) => {
    const pack = fault.wifi && (await at.foyer.package(at.editor, fault.wifi))
    const made = await at.account({ ...fault.values, ...(pack && { package_id: pack.id }) })
    if (fault.set) await at.sql(`update accounts set ${fault.set} where id = $1`, made.id)
    if (fault.used)
      await at.sql(
        `insert into usage_periods (customer_id, account_id, starts_at, seconds_used, bytes_used) values ($1, $2, now(), $3, $4)`,
        at.editor.user.customer.id,
        made.id,
        ...fault.used,
      )
    return { search: fault.sought?.(made) ?? made.username ?? '', kind: 'account', tries: asAccount(at, made) }
  },
  ...rest,
})
const expired = { reason: 'expired', says: /expired on /, fix: /Extend by a day/ }
const disabled = { reason: 'account_disabled', says: /The account .* is disabled/, fix: /Enable the account/ }
const past = `expires_at = now() - interval '1 day'`

export const accountFailures: Failure[] = [
  account('a disabled account', { set: 'active = false' }, disabled),
  account('an account that is a draft', { set: 'draft = true' }, disabled),
  account(
    'a disabled account, by e-mail',
    { values: { email: 'd1@guest.example' }, set: 'active = false', sought: () => 'd1@guest.example' },
    disabled,
  ),
  account('an expired account', { set: past }, expired),
  account(
    'an expired account, by a misspelt name',
    { values: { name: 'Bartholomew Quillfeather' }, set: past, sought: () => 'Bartolomew Quilfether' },
    expired,
  ),
  account(
    'an expired account, by phone',
    { values: { mobile_number: '+44 7700 900999' }, set: past, sought: () => '07700 900 999' },
    { ...expired, fix: /Extend by a week/ },
  ),
  account(
    'an account whose time is used up',
    { wifi: { session_time_hrs: 1 }, used: [3600, 0] },
    { reason: 'time_used_up', says: /The time of/, fix: /Renew the allowance/ },
  ),
  account(
    'an account whose data is used up',
    { wifi: { volume_gb: 1 }, used: [0, 1e9] },
    { reason: 'data_used_up', says: /The data of/, fix: /Renew the allowance/ },
  ),
  account(
    'an account whose data of the day is used up',
    { wifi: { volume_gb: 1, recurs: 'daily' }, used: [0, 3e9] },
    { reason: 'data_used_up', says: /The data of/, fix: /Renew the allowance/ },
  ),
  {
    name: 'a wrong password',
    seed: async (at) => {
      const { username } = await at.account()
      return {
        search: username ?? '',
        kind: 'account',
        tries: (fixed) => at.signIn({ user_name: username ?? '', password: fixed?.password ?? 'wrong password' }),
      }
    },
    reason: 'wrong_password',
    says: /The password that was typed at .* is wrong/,
    fix: /new password/,
  },
  {
    name: 'a typing mistake in the user name',
    seed: async (at) => {
      await at.account({ username: 'heatherington-5', name: 'Rosalind Heatherington' })
      return { search: 'hetherington-5', kind: 'attempt', tries: byVoucher(at, 'hetherington-5') }
    },
    reason: 'unknown_user',
    says: /Nobody here signs in with “hetherington-5”/,
    fix: /new voucher/,
  },
  {
    name: 'an account of another property',
    seed: async (at) => {
      const { username } = await (await anotherSite(at)).account()
      return { search: username ?? '', kind: 'account', tries: byVoucher(at, username ?? '') }
    },
    reason: 'wrong_property',
    says: /is for .*, and was tried at/,
    fix: /new voucher/,
  },
  {
    name: 'an account for one device that is online on another',
    seed: async (at) => {
      const { id: package_id } = await at.foyer.package(at.editor, { max_users: 1 })
      const made = await at.account({ package_id })
      await at.online({ user_name: made.username ?? '', password: right })
      return { search: made.username ?? '', kind: 'account', tries: asAccount(at, made) }
    },
    reason: 'device_limit',
    says: /on as many devices as it allows/,
    fix: /Disconnect/,
  },
  {
    name: 'an account for one device that another is just signing in with',
    seed: async (at) => {
      const { id: package_id } = await at.foyer.package(at.editor, { max_users: 1 })
      const made = await at.account({ package_id })
      await asAccount(at, made)()
      return { search: made.username ?? '', kind: 'account', tries: asAccount(at, made) }
    },
    reason: 'device_limit',
    says: /on as many devices as it allows/,
    fix: /Free the place of/,
  },
  {
    name: 'the disabled package of the property',
    seed: async (at) => {
      const made = await at.account()
      await at.sql(
        'update packages set active = false where id = (select package_id from properties where id = $1)',
        at.property.id,
      )
      return { search: made.username ?? '', kind: 'account', tries: asAccount(at, made) }
    },
    reason: 'package_disabled',
    says: /package/,
    fix: /Enable the package/,
    editors: true,
  },
]

const asDevice = (at: Site, mac: string) => () => at.signIn({ user_name: mac, calling_station_id: mac })
/** A registered device. */
async function device(at: Site, values: object = {}) {
  const mac = aMacAddress()
  return { mac, made: await at.foyer.device(at.editor, { property_id: at.property.id, mac_address: mac, ...values }) }
}

export const deviceFailures: Failure[] = [
  {
    name: 'a disabled device',
    seed: async (at) => {
      const { mac, made } = await device(at)
      await at.sql('update devices set active = false where id = $1', made.id)
      return { search: mac.toUpperCase().replaceAll(':', '-'), kind: 'device', tries: asDevice(at, mac) }
    },
    reason: 'device_disabled',
    says: /The device .* is disabled/,
    fix: /Enable the device/,
  },
  {
    name: 'a device of a blocked category',
    seed: async (at) => {
      const { rows } = await at.admin.query<{ id: number }>(
        'select id from mac_categories where customer_id = $1 and blocks',
        [at.editor.user.customer.id],
      )
      const { mac, made } = await device(at, { mac_category_id: rows[0]?.id })
      return { search: made.name, kind: 'device', tries: asDevice(at, mac) }
    },
    reason: 'device_blocked',
    says: /blocked on the network/,
    fix: /out of its category/,
    editors: true,
  },
  {
    name: 'a device whose data is used up',
    seed: async (at) => {
      const { id: package_id } = await at.foyer.package(at.editor, { volume_gb: 1 })
      const { mac, made } = await device(at, { package_id })
      await at.sql(
        `insert into usage_periods (customer_id, device_id, starts_at, bytes_used) values ($1, $2, now(), 2000000000)`,
        at.editor.user.customer.id,
        made.id,
      )
      return { search: mac, kind: 'device', tries: asDevice(at, mac) }
    },
    reason: 'data_used_up',
    says: /The data of/,
    fix: /Renew the allowance/,
  },
  {
    name: 'an unknown device',
    seed: async (at) => {
      const mac = aMacAddress()
      return { search: mac, kind: 'attempt', tries: asDevice(at, mac) }
    },
    reason: 'unknown_device',
    says: /This device is new here/,
    fix: /Register this device/,
    editors: true,
  },
  {
    name: 'an unknown device, fixed by a voucher',
    seed: async (at) => {
      const mac = aMacAddress()
      return {
        search: mac,
        kind: 'attempt',
        tries: async (fixed) =>
          fixed?.id === undefined
            ? asDevice(at, mac)()
            : at.signIn({ user_name: await at.codeOf(fixed.id), calling_station_id: mac }),
      }
    },
    reason: 'unknown_device',
    says: /sign in on the Wi-Fi page/,
    fix: /new voucher/,
  },
  {
    name: 'too many attempts of a device',
    seed: async (at) => {
      const [mac, made] = [aMacAddress(), await at.account()]
      const user_name = made.username ?? ''
      for (let tried = 0; tried < 10; tried++)
        await at.signIn({ user_name, password: `guess ${tried}`, calling_station_id: mac })
      return {
        search: user_name,
        kind: 'account',
        tries: () => at.signIn({ user_name, password: right, calling_station_id: mac }),
      }
    },
    reason: 'too_many_tries',
    says: /Too many tries/,
    fix: /try again now/,
  },
]
