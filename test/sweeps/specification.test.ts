// Specification: its calls and sentences, as data, compared with what is served. What is still missing is listed by area; an area
// leaves the list when its calls are served.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { messages } from '#contract/messages.ts'
import { importTemplates } from '#server/files/import-templates.ts'
import { calls } from './calls.ts'

interface PromisedCall {
  area: string
  method: 'GET' | 'POST'
  path: string
}

const read = (name: string): unknown =>
  JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../spec', name), 'utf8'))

/** Areas of section 7 that are not completely served, and the missing calls of those that have been started. */
const missing: string[] = []
const begun: string[] = []
const missing_of_begun: string[] = []

/** A field in the query of an upload is a field like any other. */
const nameOf = ({ method, path: at }: PromisedCall) => `${method} ${at.replace(/^\/api\/v1/, '').replace(/\?.*$/, '')}`
const promised = read('calls.json') as PromisedCall[]
const served = new Set([...calls.map(({ name }) => name), ...importTemplates.map((name) => `GET /files/${name}.csv`)])

describe('of the calls of section 7', () => {
  test('there are all', () => expect(promised.length).toBe(172))

  test('each is served under its own method and path, but for those of the areas that are still missing', () => {
    const absent = promised.filter((call) => !served.has(nameOf(call)))
    expect(absent.filter(({ area }) => !missing.includes(area)).map(nameOf)).toEqual([])
  })

  test('none that is listed as missing is served', () => {
    const here = promised.filter(({ area }) => missing.includes(area) && !begun.includes(area)).map(nameOf)
    expect(here.filter((name) => served.has(name))).toEqual([])
    const rest = promised.filter(({ area }) => begun.includes(area)).map(nameOf)
    expect(rest.filter((name) => !served.has(name))).toEqual(missing_of_begun)
  })

  test('each whose name says that something is deleted takes the right to delete, and no other does', () => {
    const named = /-delete(\/|-|$)|-erase$|^\/room-guests-(remove|check-out)$/
    const declared = calls.filter(({ endpoint }) => endpoint.action === 'delete').map(({ name }) => name)
    expect(declared).toEqual(calls.filter(({ endpoint }) => named.test(endpoint.path)).map(({ name }) => name))
  })

  test('each area that is listed as missing is one of the specification', () => {
    const areas = new Set(promised.map(({ area }) => area))
    expect(missing.filter((area) => !areas.has(area))).toEqual([])
  })
})

describe('of the sentences of the specification', () => {
  const { note: _note, ...groups } = read('messages.json') as { note: string } & Record<string, string[]>
  /** Sentences with a number, for one and for several: `1 Account was`, `7 Accounts were`. */
  const sentencesIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    if (typeof value === 'function') return [1, 7].map((count) => (value as (count: number) => string)(count))
    return Object.values(value as object).flatMap(sentencesIn)
  }
  const blank = (sentence: string) => sentence.replaceAll(/\{\w+\}|\b\d+\b/g, '{n}').replace('+N', '+{n}')
  // The limit of a file and of a code is part of the sentence.
  const spoken = new Set(sentencesIn(messages).flatMap((sentence) => [sentence, blank(sentence)]))

  test.each(Object.entries(groups))('each of %s stands in the words, letter for letter', (_, sentences) => {
    expect(sentences.length).toBeGreaterThan(0)
    const absent = sentences.filter((sentence) => !spoken.has(sentence) && !spoken.has(blank(sentence)))
    expect(absent).toEqual([])
  })
})
