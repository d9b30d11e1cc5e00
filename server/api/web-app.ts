// Web app: its files, and its one page for every other address that a browser may open.
import path from 'node:path'
import { readFile } from 'node:fs/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Tenancy } from '#server/access/tenancy.ts'
import { handleNothing } from '#server/api/refusals.ts'
import type { Config } from '#server/start/config.ts'

interface SignUp {
  signup: Config['signup']
  tenancy: Tenancy
}

/** Whether nobody has signed up at this installation yet. */
export async function isEmpty(tenancy: Tenancy): Promise<boolean> {
  const [row] = await tenancy.callFunction(sql<{ empty: boolean }>`select door_is_empty() as empty`)
  return row?.empty ?? false
}

/**
 * `open` to everybody; `first`: open until somebody signs up, which nobody has yet; or `closed`. Looked up in the database only while
 * nobody has signed up: an installation never becomes empty again.
 */
function signUpWatch({ signup, tenancy }: SignUp) {
  let empty = true
  return async () => {
    if (signup === 'first' && empty) empty = await isEmpty(tenancy)
    if (signup === 'open') return 'open'
    return signup === 'first' && empty ? 'first' : 'closed'
  }
}

export async function serveWebApp(app: FastifyInstance, webRoot: string, signUp: SignUp) {
  const signUpState = signUpWatch(signUp)
  const page = await readFile(path.join(webRoot, 'index.html'), 'utf8')
  await app.register(fastifyStatic, {
    root: webRoot,
    index: false,
    wildcard: false,
    preCompressed: true,
    // Names under assets/ carry a hash of their content.
    setHeaders: (reply, file) =>
      void reply.header(
        'cache-control',
        file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  })
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage =
      request.method === 'GET' &&
      !/^\/(api|files|p)\//.test(request.url) &&
      !/\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (!wantsPage) return handleNothing(request, reply)
    const state = await signUpState().catch(() => 'open')
    reply.type('text/html').header('cache-control', 'no-cache')
    return page.replace(/(<meta name="foyer-signup" content=")[^"]*"/, `$1${state}"`)
  })
}
