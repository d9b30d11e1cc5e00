// Parse: turns what a request brought, in its path, its query and its body, into checked input, or refuses field by field.
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { pathFields, type Endpoint } from '#contract/endpoint.ts'
import type { FieldErrors } from '#contract/errors.ts'
import { fieldErrors } from '#contract/field-errors.ts'
import { withoutNothing, withoutRequired } from '#server/api/absent.ts'
import { foreignIn } from '#server/api/understood.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { receive } from '#server/files/receive.ts'

/** What was asked. */
export interface Asked {
  /** Checked; as it was given where something is wrong with it. */
  input: unknown
  /** What is wrong with it, by field. What it points at has not been looked at. */
  errors: FieldErrors
  /** What the call answers and does not take. */
  echoed: Record<string, unknown>
}

/** Everything that was asked. Files of an upload lie in a folder of the request's own until it is answered. */
export async function parse(endpoint: Endpoint, request: FastifyRequest): Promise<Asked> {
  // What a call does not take is not looked at, so that it cannot be wrong.
  if (takesNothing(endpoint)) return { input: endpoint.input.parse({}), errors: {}, echoed: {} }
  const inPath = pathFields(endpoint.path)
  const given = await givenIn(endpoint, request)
  if (isDeeperThan(given, depth_max)) throw invalid({ body: ['This is nested too deeply.'] })
  const nul = nulIn(given)
  if (nul !== undefined) throw invalid({ [nul]: ['Please remove the unprintable character'] })
  const params = request.params as Record<string, string>
  const fields = inPath.map((name) => [name, /id$/i.test(name) ? Number(params[name]) : params[name]])
  const raw = withoutNothing(endpoint, { ...given, ...Object.fromEntries(fields) })
  const { own, errors, echoed } = foreignIn(endpoint, raw)
  const { data, error } = endpoint.input.safeParse(own)
  // An address that cannot name a record is an address of nothing.
  if (error?.issues.some((issue) => inPath.includes(String(issue.path[0])))) throw notFound()
  return {
    input: error ? own : data,
    errors: { ...(error && withoutRequired(endpoint, fieldErrors(error))), ...errors },
    echoed,
  }
}

const takesNothing = ({ input }: Endpoint) =>
  'shape' in input && Object.keys(input.shape as Record<string, z.ZodType>).length === 0

/** No call takes as much; what looks into values, step by step, would run out of stack. */
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

/** Where a text holds NUL, which PostgreSQL cannot store. */
function nulIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = nulIn(inner)
    if (found !== undefined) return found === '' ? key : `${key}.${found}`
  }
  return undefined
}
