// Pigeons: a kind of connection that no release has, put into the list of kinds: a company that is connected by a key, and its stand-in.
import { z } from 'zod'
import type { Parameter } from '#contract/parameters.ts'
import type { ConnectionKind } from '#server/connections/kind.ts'
import { kinds } from '#server/connections/kinds.ts'
import { failureOf, readAnswer } from '#server/connections/provider.ts'
import { openProvider } from './provider-server.ts'

const name = 'Acme Pigeons'
const parameter = (key: string, label: string, more: Partial<Parameter> = {}): Parameter => ({
  key,
  label,
  kind: 'text',
  choices: [],
  required: true,
  once: false,
  help: null,
  ...more,
})
const Loft = z.object({ loft: z.string() })

const pigeons: ConnectionKind = {
  word: 'carrier_pigeons',
  name: 'Carrier pigeons',
  calls: null,
  providers: [
    {
      integration_type: 'acme',
      name,
      parameters: [
        parameter('loft_url', 'Address of the loft', { kind: 'url', once: true }),
        parameter('seed', 'Seed', { required: false }),
        parameter('api_key', 'Key', { kind: 'secret' }),
      ],
      account: async (call, { loft_url, api_key }) => {
        const answer = await call(`${String(loft_url)}/loft`, {
          headers: { authorization: `Bearer ${String(api_key)}` },
        })
        if (answer.status !== 200) throw failureOf(name, answer, null)
        return readAnswer(name, Loft, answer).loft
      },
    },
  ],
}

export async function openPigeons() {
  const keys = new Set(['a key of the loft'])
  const server = await openProvider(({ headers }) =>
    keys.has(headers.authorization?.replace('Bearer ', '') ?? '')
      ? { status: 200, body: { loft: 'Harbour loft' } }
      : { status: 401 },
  )
  ;(kinds as ConnectionKind[]).push(pigeons)
  return {
    server,
    /** Those that it takes. */
    keys,
    asked: {
      kind: pigeons.word,
      integration_type: 'acme',
      settings: { loft_url: server.url, api_key: 'a key of the loft' },
    },
    async close() {
      ;(kinds as ConnectionKind[]).splice(kinds.indexOf(pigeons), 1)
      await server.close()
    },
  }
}
