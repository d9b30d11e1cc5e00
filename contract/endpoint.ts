// Endpoints: the functions that declare every call of the API, and the types that both sides derive from them.
//
//   const { read, write } = callsOf('groups')
//   export const list = read('/groups', listOf(GroupFilters), page(GroupRow))
//
// Whether a call reads or writes, not its method, decides permission, audit and caching, since nearly every call is a POST.
// Fields named in braces are part of the path; they are ordinary fields of `input`.
import { z } from 'zod'
import type { Action, Area } from './permissions.ts'
import { fileContent, listFileOf } from './shapes.ts'

export interface Endpoint<Q extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  kind: 'read' | 'write'
  /** The right it needs: `action` in `area`. */
  area: Area
  action: Action
  method: 'GET' | 'POST'
  /** Below `/api/v1`, as the specification spells it. */
  path: string
  takes: 'json' | 'multipart'
  gives: 'json' | 'file'
  /** 201 if it creates a record. */
  status: 200 | 201
  /** The call takes several records, named by `ids`. */
  takesIds: boolean
  /**
   * `password`: it gives away reach or data. A person whose password was last given over an hour ago is asked for it first, by a 403 with
   * this word; after `/auth/prove` the same call goes on. For which inputs is said in server/api/asked-again.ts; keys are not asked.
   */
  asks?: 'password'
  input: Q
  /** The whole body of the answer: `{data}`, or `{data, meta}` for a list. */
  output: A
}

/** What a caller sends, without defaults. */
export type Input<E> = E extends Endpoint<infer Q> ? z.input<Q> : never
/** What the handler gets, checked and with defaults filled in. */
export type Parsed<E> = E extends Endpoint<infer Q> ? z.output<Q> : never
/** What the call answers. */
export type Reply<E> = E extends Endpoint<z.ZodType, infer A> ? z.output<A> : never
/** What the handler returns: `{data, meta}` if the answer has a meta, else only the data. */
export type Output<E> =
  Reply<E> extends { data: infer D; meta: infer M }
    ? { data: D; meta: M }
    : Reply<E> extends { data: infer D }
      ? D
      : never
/** One row of a list endpoint. */
export type RowOf<E> = Reply<E> extends { data: (infer R)[] } ? R : never

type Enveloped<A extends z.ZodType> =
  A extends z.ZodObject<{ data: z.ZodType; meta: z.ZodType }> ? A : z.ZodObject<{ data: A }>

const isListing = (answer: z.ZodType): boolean =>
  answer instanceof z.ZodObject && 'data' in answer.shape && 'meta' in answer.shape

const declare =
  (
    area: Area,
    kind: Endpoint['kind'],
    method: Endpoint['method'],
    takes: Endpoint['takes'],
    gives: Endpoint['gives'],
  ) =>
  <Q extends z.ZodType, A extends z.ZodType>(path: `/${string}`, input: Q, output: A): Endpoint<Q, Enveloped<A>> => {
    const whole = isListing(output) ? output : z.object({ data: output })
    const status = /(-create|-create-api-key|-duplicate|\/signup)$/.test(path) ? 201 : 200
    const takesIds = input instanceof z.ZodObject && 'ids' in input.shape
    const facts = { kind, area, action: kind, method, path, takes, gives, status, takesIds } as const
    return { ...facts, input, output: whole as unknown as Enveloped<A> }
  }

/** A list as a file: everyone who may read the list may download it, and the download is logged. */
const listFile =
  (area: Area) =>
  <P extends z.ZodType, F extends z.ZodType, S extends z.ZodType>(
    path: `/${string}`,
    list: Endpoint<z.ZodObject<{ params: P; filters: F; sort: S }>>,
  ) => ({
    ...declare(area, 'write', 'POST', 'json', 'file')(path, listFileOf(list.input), fileContent),
    action: 'read' as const,
  })

/** A call that writes but needs another right than `write`: a lesser one (`desk`, `invite`), or `delete`. */
const writeWith =
  (area: Area) =>
  (action: 'desk' | 'invite' | 'delete') =>
  <Q extends z.ZodType, A extends z.ZodType>(path: `/${string}`, input: Q, output: A): Endpoint<Q, Enveloped<A>> => ({
    ...declare(area, 'write', 'POST', 'json', 'json')(path, input, output),
    action,
  })

/** The functions that declare the calls of one area. */
export const callsOf = (area: Area) => ({
  read: declare(area, 'read', 'POST', 'json', 'json'),
  write: declare(area, 'write', 'POST', 'json', 'json'),
  lookup: declare(area, 'read', 'GET', 'json', 'json'),
  upload: declare(area, 'write', 'POST', 'multipart', 'json'),
  desk: writeWith(area)('desk'),
  invite: writeWith(area)('invite'),
  /** Removes something for good. Needs the right to delete, which an API key that may write can lack. */
  removal: writeWith(area)('delete'),
  /** A file of something worth money. Needs the right `desk`, reading is not enough, and it is logged. */
  handout: <Q extends z.ZodType>(path: `/${string}`, input: Q, output: z.ZodType) => ({
    ...declare(area, 'write', 'POST', 'json', 'file')(path, input, output),
    action: 'desk' as const,
  }),
  listFile: listFile(area),
  /** A file made from what the caller may read. It is logged. */
  produced: <Q extends z.ZodType>(path: `/${string}`, input: Q, output: z.ZodType) => ({
    ...declare(area, 'write', 'POST', 'json', 'file')(path, input, output),
    action: 'read' as const,
  }),
})

/** Marks a call before which the password is asked for again. */
export const asking = <E extends Endpoint>(endpoint: E): E & { asks: 'password' } => ({ ...endpoint, asks: 'password' })

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'area' in value && 'method' in value

/** The endpoints among a contract module's exports, by their exported name. */
export const endpointsOf = (module: object): [string, Endpoint][] =>
  Object.entries(module).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))

/** The fields in the path: `/properties/{id}` → `['id']`. */
export const pathFields = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
