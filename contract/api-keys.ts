// API keys: tokens with which programs call the API, for a user, a group or a property.
import { z } from 'zod'
import { constants } from './constants.ts'
import { asking, callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { messages } from './messages.ts'
import { areas, type Area } from './permissions.ts'
import { done, email, id, listOf, moment, named, page, ref, rowOf, text, storedMoment } from './shapes.ts'
import { status } from './status.ts'

const { read, write, removal } = callsOf('api_keys')

/** Areas that no key reaches: people, other keys, money, the log, and links to other companies. */
export const closedToKeys = [
  'accounting_integrations',
  'activity',
  'api_keys',
  'billing',
  'company',
  'connections',
  'due_work',
  'marketing_integrations',
  'security',
  'sessions',
  'teams',
  'undelivered',
  'users',
  'webhooks',
] as const satisfies readonly Area[]
const isOpenToKeys = (area: Area) => !(closedToKeys as readonly Area[]).includes(area)
export const keyAreas: readonly Area[] = areas.filter(isOpenToKeys)

/** `write` includes reading, and `full` deleting as well. Each is for all areas, or for one: `write:rooms`. */
export const levels = ['read', 'write', 'full'] as const
export type Level = (typeof levels)[number]
const permissions = [...levels, ...keyAreas.flatMap((area) => levels.map((level) => `${level}:${area}`))]
const KeyPermission = z.enum(permissions)

/** At most this many for one owner: nobody can keep track of more, and old ones were probably never deleted. */
export const keys_max = 100

/** `name` and `api_key_name` are the same field. */
export const ApiKeyInput = z
  .object({
    name: text().optional(),
    api_key_name: text().optional(),
    /** Whom to ask about it; by default the user who made it. */
    email: email.nullish(),
    permissions: z.array(KeyPermission).min(1).max(permissions.length),
    /** Absent or empty: everything its owner reaches. */
    property_ids: z.array(ref('properties', 'All of them')).max(1000).default([]),
    expires_at: storedMoment.nullish(),
  })
  .refine(({ name, api_key_name }) => (name ?? api_key_name) !== undefined, {
    path: ['name'],
    message: messages.fields.required,
  })
  .refine(({ name, api_key_name }) => name === undefined || api_key_name === undefined || name === api_key_name, {
    path: ['api_key_name'],
    message: 'Give one name: api_key_name is the same as name',
  })
  .refine(({ expires_at }) => expires_at == null || Date.parse(expires_at) > Date.now(), {
    path: ['expires_at'],
    message: 'Please choose a time in the future',
  })

export const ApiKey = z
  .object({
    id,
    name: z.string(),
    api_key_name: z.string(),
    email: z.string().nullable(),
    permissions: z.array(z.string()),
    /** Empty: everything its owner reaches. */
    property_ids: z.array(id),
    /** The first characters of the token, to tell keys apart. */
    token_start: z.string(),
    /** `disabled` once it has expired. */
    status,
    expires_at: moment.nullable(),
    /** To the minute. */
    last_used_at: moment.nullable(),
    created_by: named.nullable(),
    created_at: moment,
  })
  .meta({ id: 'ApiKey' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [ApiKeyInput, ApiKey],
  {
    email: 'Contact e-mail',
    permissions: 'May',
    property_ids: 'Limited to',
    expires_at: 'Expires',
    last_used_at: 'Last used',
    created_by: 'Made by',
  },
  {
    key: ['name', 'email'],
    rights: ['permissions'],
    reach: ['property_ids', 'expires_at'],
  },
)

/** The token is only in the answer of a create, because only its hash is stored. */
export const NewApiKey = ApiKey.extend({ token: z.string() }).meta({ id: 'NewApiKey' })

const sorts = ['-created_at', 'created_at', 'name', '-name'] as const
/** The parent is given next to `params` or in it; answers all of its keys. */
const group_id = ref('groups').optional()
const property_id = ref('properties').optional()
const per_page = z.int().min(0).max(constants.list.page_rows_max).default(keys_max)

/** The caller's own keys. */
export const listOfUser = read('/user-api-tokens', listOf({}, {}, sorts), page(ApiKey))
export const createForUser = asking(write('/user-api-tokens-create', ApiKeyInput, NewApiKey))
export const removeOfUser = removal('/user-api-tokens-delete/{id}', z.object({ id: rowOf('api_keys') }), done)

export const listOfGroup = read(
  '/groups-get-api-keys',
  listOf({}, { group_id }, sorts).safeExtend({ group_id, per_page }),
  page(ApiKey),
)
export const createForGroup = asking(
  write('/groups-create-api-key', ApiKeyInput.safeExtend({ group_id: ref('groups') }), NewApiKey),
)
export const removeOfGroup = removal(
  '/groups-delete-api-key/{id}',
  z.object({ id: rowOf('api_keys'), group_id: ref('groups').nullish() }),
  done,
)

export const listOfProperty = read(
  '/properties-get-api-keys',
  listOf({}, { property_id }, sorts).safeExtend({ property_id, per_page }),
  page(ApiKey),
)
export const createForProperty = asking(
  write('/properties-create-api-key', ApiKeyInput.safeExtend({ property_id: ref('properties') }), NewApiKey),
)
export const removeOfProperty = removal(
  '/properties-delete-api-key/{id}',
  z.object({ id: rowOf('api_keys'), property_id: ref('properties').nullish() }),
  done,
)
