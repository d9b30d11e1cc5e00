// Described: docs/api.txt says of each call what it takes, answers and refuses. A change of what others call is read there before it is
// kept: `npm test server/api/described.test.ts -- -u` writes the page anew.
import { expect, test } from 'vitest'
import { resourcesOf } from '#server/apps/api.ts'
import type { Services } from '#server/services.ts'
import { openApi } from './openapi.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** What is small stands in one line: most fields do. */
const small = 180
function linesOf(value: Json, name: string): string[] {
  const text = JSON.stringify(value)
  const isSplit = typeof value === 'object' && value !== null && text.length > small
  return isSplit
    ? [`${name}:`, ...Object.entries(value).flatMap(([key, one]) => indented(linesOf(one, key)))]
    : [`${name}: ${text}`]
}
const indented = (lines: string[]) => lines.map((line) => ` ${line}`)

/** Examples are made from the rest. */
function withoutExamples(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutExamples)
  const named = Object.entries(value).filter(
    ([name, one]) => !(name === 'example' && 'schema' in value) || one === undefined,
  )
  return Object.fromEntries(named.map(([name, one]) => [name, withoutExamples(one)]))
}

test('docs/api.txt says what each call takes, answers and refuses', async () => {
  const contracts = resourcesOf({ portal_url: 'https://portal.example' } as Services).map(({ contract }) => contract)
  const document = withoutExamples(openApi(contracts, 'https://foyer.example') as Json) as Record<string, Json>
  const text = [
    '# The API as /api/v1/openapi.json describes it, without its examples.',
    '# Written by `npm test server/api/described.test.ts -- -u`.',
    ...Object.entries(document).flatMap(([name, value]) => ['', ...linesOf(value, name)]),
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../docs/api.txt')
})
