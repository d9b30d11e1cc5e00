// Parse: turns what a request brought, in its path, its query and its body, into checked input, or refuses field by field.
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { pathFields, type Endpoint } from '#contract/endpoint.ts'
import type { FieldErrors } from '#contract/errors.ts'
import { fieldErrors } from '#contract/field-errors.ts'
import { withoutEmpty, withoutRequired } from '#server/api/absent-fields.ts'
import { splitFields } from '#server/api/unknown-fields.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { receive } from '#server/files/receive.ts'

/** The parsed request. */
export interface ParsedRequest {
  /** Checked; unchanged if something is wrong with it. */
  input: unknown
  /** What is wrong with it, by field. References have not been checked yet. */
  errors: FieldErrors
  /** Fields that the call returns but does not take. */
  echoed: Record<string, unknown>
}

/** Parses the whole request. Files of an upload are in a folder of the request's own until it is answered. */
export async function parse(endpoint: Endpoint, request: FastifyRequest): Promise<ParsedRequest> {
  // A call without input ignores what is sent, so nothing can be wrong with it.
  if (takesNothing(endpoint)) return { input: endpoint.input.parse({}), errors: {}, echoed: {} }
  const inPath = pathFields(endpoint.path)
  const given = await givenIn(endpoint, request)
  if (isDeeperThan(given, depth_max)) throw invalid({ body: ['This is nested too deeply.'] })
  const nul = nulIn(given)
  if (nul !== undefined) throw invalid({ [nul]: ['Please remove the unprintable character'] })
  const params = request.params as Record<string, string>
  const fields = inPath.map((name) => [name, /id$/i.test(name) ? Number(params[name]) : params[name]])
  const raw = withoutEmpty(endpoint, { ...given, ...Object.fromEntries(fields) })
  const { own, errors, echoed } = splitFields(endpoint, raw)
  const { data, error } = endpoint.input.safeParse(own)
  // A path that cannot name a record is not found.
  if (error?.issues.some((issue) => inPath.includes(String(issue.path[0])))) throw notFound()
  return {
    input: error ? own : data,
    errors: { ...(error && withoutRequired(endpoint, fieldErrors(error))), ...errors },
    echoed,
  }
}

const takesNothing = ({ input }: Endpoint) =>
  'shape' in input && Object.keys(input.shape as Record<string, z.ZodType>).length === 0

/** More than any call takes; functions that walk through values recursively would overflow the stack. */
const depth_max = 20
const isDeeperThan = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1)))

async function givenIn(endpoint: Endpoint, request: FastifyRequest): Promise<object> {
  if (endpoint.takes === 'multipart') return receive(request, endpoint.input as z.ZodObject)
  const given = endpoint.method === 'GET' ? request.query : (request.body ?? {})
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid({ body: ['Send a JSON object.'] })
  return given
}

/** The path of a text that contains NUL, which PostgreSQL cannot store. */
function nulIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = nulIn(inner)
    if (found !== undefined) return found === '' ? key : `${key}.${found}`
  }
  return undefined
}
