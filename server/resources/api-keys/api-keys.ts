// API keys of users, groups and properties: created and shown once, listed, deleted.
import { sql } from 'kysely'
import * as contract from '#contract/api-keys.ts'
import type { Output, Parsed } from '#contract/endpoint.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { hashOf, newKeyToken } from '#server/access/authenticate.ts'
import { userIdOf } from '#server/access/principal.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { createRow, removeRow } from '#server/entities/verbs.ts'

const keys = entity({
  table: 'api_keys',
  row: contract.ApiKey,
  detail: contract.ApiKey,
  computed: {
    api_key_name: sql`t.name`,
    status: sql`case when t.expires_at <= now() then 'disabled' else 'active' end`,
    created_by: nameOf('users', 'created_by_user_id'),
  },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

/** Whose key it is: exactly one of them. */
type Owner = { user_id: number } | { group_id: number } | { property_id: number }
const column = (owner: Owner) => {
  const [[name, id] = ['', 0]] = Object.entries(owner)
  return { name, id }
}
const isOf = (owner: Owner) => sql<boolean>`${sql.ref(`t.${column(owner).name}`)} = ${column(owner).id}`

/** Keys belong to people: a program that calls with a key cannot have keys of its own. */
function ownUser(scope: Scope): { user_id: number } {
  const user_id = userIdOf(scope)
  if (user_id === null) throw new Error('only a user has keys of their own')
  return { user_id }
}

type Wanted = Parsed<typeof contract.createForUser>

/** A key reaches no further than its owner: the properties that it is limited to must be the owner's. */
async function refuseBeyond(scope: Scope, owner: Owner, property_ids: number[]) {
  const own =
    'group_id' in owner
      ? sql`t.group_id = ${owner.group_id}`
      : 'property_id' in owner
        ? sql`t.id = ${owner.property_id}`
        : sql`true`
  const [beyond] = await scope.run(sql`
    select from properties as t where t.id = any(${property_ids}) and not coalesce(${own}, false) and ${scope.inReach('properties', 't')}`)
  if (beyond) throw invalid({ property_ids: [selectedInvalid('property_ids')] })
}

/** The lock makes concurrent creations count one after the other. */
async function refuseTooMany(scope: Scope, owner: Owner) {
  await scope.run(sql`select pg_advisory_xact_lock(hashtext(${`api keys of ${JSON.stringify(owner)}`}))`)
  const [counted] = await scope.run(sql<{ count: number }>`
    select count(*)::integer as count from api_keys as t where ${isOf(owner)} and ${scope.inReach('api_keys', 't')}`)
  if (counted && counted.count >= contract.keys_max)
    throw invalid({ name: [`There are ${contract.keys_max} keys already. Delete one first.`] })
}

async function make(scope: Scope, owner: Owner, wanted: Wanted): Promise<Output<typeof contract.createForUser>> {
  const { name, api_key_name, email, permissions, property_ids, expires_at } = wanted
  await refuseBeyond(scope, owner, property_ids)
  await refuseTooMany(scope, owner)
  const token = newKeyToken()
  const key = await createRow(scope, keys, {
    ...owner,
    name: name ?? api_key_name,
    email: email ?? scope.principal.email,
    permissions: [...new Set(permissions)],
    property_ids: [...new Set(property_ids)],
    expires_at,
    token_start: token.slice(0, token_start_length),
    created_by_user_id: userIdOf(scope),
  })
  await scope.insert('api_key_secrets', { api_key_id: key.id, token_hash: hashOf(token) })
  return { ...key, token }
}
/** `foyer_` and five letters: enough to tell keys apart, but no help in guessing the rest. */
const token_start_length = 11

async function remove(
  scope: Scope,
  owner: Owner | undefined,
  kind: 'group_id' | 'property_id' | 'user_id',
  id: number,
) {
  const whose = owner ? isOf(owner) : sql<boolean>`${sql.ref(`t.${kind}`)} is not null`
  const [found] = await scope.run(
    sql`select from api_keys as t where t.id = ${id} and ${whose} and ${scope.inReach('api_keys', 't')}`,
  )
  if (!found) throw notFound()
  return removeRow(scope, keys, id)
}

/** Whosever it is. */
export const removeKey = (scope: Scope, id: number) => removeRow(scope, keys, id)

const missing = (field: string) => invalid({ [field]: [messages.fields.required] })

export default serve(contract, {
  listOfUser: ({ scope, input }) => listRows(scope, keys, { ...input, params: ownUser(scope) }),
  createForUser: ({ scope, input }) => make(scope, ownUser(scope), input),
  removeOfUser: ({ scope, input }) => remove(scope, ownUser(scope), 'user_id', input.id),

  listOfGroup: ({ scope, input: { group_id: direct, ...input } }) => {
    const group_id = direct ?? input.params.group_id
    if (group_id === undefined) throw missing('group_id')
    return listRows(scope, keys, { ...input, params: { group_id } })
  },
  createForGroup: ({ scope, input: { group_id, ...wanted } }) => make(scope, { group_id }, wanted),
  removeOfGroup: ({ scope, input: { id, group_id } }) =>
    remove(scope, group_id == null ? undefined : { group_id }, 'group_id', id),

  listOfProperty: ({ scope, input: { property_id: direct, ...input } }) => {
    const property_id = direct ?? input.params.property_id
    if (property_id === undefined) throw missing('property_id')
    return listRows(scope, keys, { ...input, params: { property_id } })
  },
  createForProperty: ({ scope, input: { property_id, ...wanted } }) => make(scope, { property_id }, wanted),
  removeOfProperty: ({ scope, input: { id, property_id } }) =>
    remove(scope, property_id == null ? undefined : { property_id }, 'property_id', id),
})
