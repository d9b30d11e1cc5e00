// The catalogue: its sentences are well-formed, every translation has the arguments of its English text, and the compiler knows them.
import fs from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, expectTypeOf, test } from 'vitest'
import { refusals, reservedForCustomer, reservedForEditors, selectedIdsInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { stayWords } from '#contract/room-guests.ts'
import { deskReasons } from '#contract/sign-in-attempts.ts'
import { reasons, reasonUnknown } from '#contract/vouchers.ts'
import { desk } from './en/desk.ts'
import { fixed } from './en/fixed.ts'
import { forms } from './en/forms.ts'
import { frame } from './en/frame.ts'
import { guests } from './en/guests.ts'
import { help } from './en/help.ts'
import { limits } from './en/limits.ts'
import { phone } from './en/phone.ts'
import { fixed as deFixed } from './de/fixed.ts'
import { guests as deGuests } from './de/guests.ts'
import { help as deHelp } from './de/help.ts'
import * as de from './de/screens.ts'
import { fixed as esFixed } from './es/fixed.ts'
import { guests as esGuests } from './es/guests.ts'
import { help as esHelp } from './es/help.ts'
import * as es from './es/screens.ts'
import { fixed as frFixed } from './fr/fixed.ts'
import { guests as frGuests } from './fr/guests.ts'
import { help as frHelp } from './fr/help.ts'
import * as fr from './fr/screens.ts'
import { formatted, sayer, type Arguments, type Sentences } from './sentences.ts'

type Parts = ReturnType<IntlMessageFormat['getAst']>

/** The type of a part that is text. */
const literal = 0

/** The names of the arguments, those within options too, each with whether it is counted. */
function argumentsIn(parts: Parts): string[] {
  return parts.flatMap((part) => {
    // oxlint-disable-next-line typescript/no-unsafe-enum-comparison -- the parser's enumeration is in no package of ours
    if (!('value' in part) || part.type === literal) return []
    const options = 'options' in part ? Object.values(part.options).flatMap(({ value }) => argumentsIn(value)) : []
    return [part.value, ...options]
  })
}
const namesIn = (sentence: string, locale: string) => [
  ...new Set(argumentsIn(new IntlMessageFormat(sentence, locale, undefined, { ignoreTag: true }).getAst())),
]

const english: Record<string, Sentences> = { desk, fixed, forms, frame, guests, help, limits, phone }
const translations: Record<string, Record<string, Sentences>> = {
  de: {
    desk: de.desk,
    fixed: deFixed,
    forms: de.forms,
    frame: de.frame,
    limits: de.limits,
    phone: de.phone,
    guests: deGuests,
    help: deHelp,
  },
  fr: {
    desk: fr.desk,
    fixed: frFixed,
    forms: fr.forms,
    frame: fr.frame,
    limits: fr.limits,
    phone: fr.phone,
    guests: frGuests,
    help: frHelp,
  },
  es: {
    desk: es.desk,
    fixed: esFixed,
    forms: es.forms,
    frame: es.frame,
    limits: es.limits,
    phone: es.phone,
    guests: esGuests,
    help: esHelp,
  },
}

test.each(Object.entries(translations))('%s has the arguments of each English sentence', (locale, areas) => {
  const wrong = Object.entries(english).flatMap(([area, sentences]) =>
    Object.entries(sentences).flatMap(([key, sentence]) => {
      const [wanted, given] = [namesIn(sentence, 'en').toSorted(), namesIn(areas[area]?.[key] ?? '', locale).toSorted()]
      // What the plural of English needs may say nothing in another language.
      const needed = wanted.filter((name) => name !== 'count')
      const isRight = given.every((name) => wanted.includes(name)) && needed.every((name) => given.includes(name))
      return isRight ? [] : [`${area} ${key}: ${given.join()} in place of ${wanted.join()}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('no translation is empty, or has spaces around it', () => {
  const odd = Object.entries({ en: english, ...translations }).flatMap(([locale, areas]) =>
    Object.values(areas).flatMap((sentences) =>
      Object.entries(sentences).flatMap(([key, text]) => (text.trim() === text && text ? [] : [`${locale} ${key}`])),
    ),
  )
  expect(odd).toEqual([])
})

test('French has a no-break space before signs of two parts and within guillemets, so that no line begins or ends with them', () => {
  const spaced = /[^\u00a0][:;!?»](?=\s|$)|«(?!\u00a0)/
  const wrong = Object.entries(translations['fr'] ?? {}).flatMap(([area, sentences]) =>
    Object.entries(sentences)
      .filter(([, text]) => spaced.test(text))
      .map(([key, text]) => `${area} ${key}: ${text}`),
  )
  expect(wrong).toEqual([])
})

test('each sentence of the screens is said somewhere', () => {
  const sources = fs
    .globSync('{web,server,contract}/**/*.{ts,tsx}')
    .filter((file) => !file.includes('.test.'))
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n')
  // Such as `day.${kind}` and `${act}-means`.
  const composed = new Set(
    [...sources.matchAll(/`([\w.-]{2,})\$\{|\}([\w.-]{2,})`/g)].map(([, start, end]) => start ?? end ?? ''),
  )
  const named = new Set([...sources.matchAll(/'([\w.-]+)'/g)].map(([, name]) => name))
  const isSaid = (key: string) =>
    named.has(key) || [...composed].some((part) => key.startsWith(part) || key.endsWith(part))
  const silent = Object.entries({ desk, forms, frame, guests, help, phone }).flatMap(([area, sentences]) =>
    Object.keys(sentences)
      .filter((key) => !isSaid(key))
      .map((key) => `${area} ${key}`),
  )
  expect(silent).toEqual([])
})

test('sentences around every screen and of forms count nothing, since they come without the library for it', () => {
  for (const areas of [english, ...Object.values(translations)])
    expect(
      [...Object.values(areas['forms'] ?? {}), ...Object.values(areas['frame'] ?? {})].filter((text) =>
        /\{[^}]*,/.test(text),
      ),
    ).toEqual([])
})

test('what the contract fixes is said in another language, with its numbers', () => {
  expect(de.find('Please use at most 40 characters')).toBe('Bitte geben Sie höchstens 40 Zeichen ein')
  expect(fr.find(messages.fields.required)).toBe('Ce champ est obligatoire')
  expect(es.find('The guest said so.')).toBe('The guest said so.')
})

test('what is counted has the plural of its language', () => {
  const inFrench = sayer<typeof desk>(() => ({ sentences: fr.desk, locale: 'fr' }))
  expect([0, 1, 2].map((count) => inFrench('nights', { count }))).toEqual(['0 nuit', '1 nuit', '2 nuits'])
  expect(formatted(de.desk['group.found'], 'de', { name: 'Hart', guests: 1200, expected: 0 })).toBe(
    'Gruppe Hart: 1.200 Gäste',
  )
})

test('keys and arguments that are missing do not compile', () => {
  expectTypeOf<Arguments<'{who} stays until {day}'>>().toEqualTypeOf<{ who: string | number; day: string | number }>()
  expectTypeOf<Arguments<'{n, plural, =0 {} one {{who} is} other {{who} are # of {max}}} {end}'>>().toEqualTypeOf<{
    n: number
    who: string | number
    max: string | number
    end: string | number
  }>()
  const say = sayer<typeof desk>(() => ({ sentences: desk, locale: 'en' }))
  // @ts-expect-error -- no such sentence
  say('no-such-sentence')
  // @ts-expect-error -- the sentence needs a count
  expect(() => say('nights')).not.toThrow()
  // @ts-expect-error -- a count is a number
  say('nights', { count: 'two' })
  expect(say('nights', { count: 2 })).toBe('2 nights')
})

test('what the contract fixes is found by its English', () => {
  const { required, email, numeric, integer, minimum, maximum, year, notValid } = messages.fields
  const said = [required, email, numeric, integer, year, notValid, ...Object.values(messages.voucherTest)]
  const known: readonly string[] = [...Object.values(fixed), ...Object.values(desk)]
  expect(said.filter((sentence) => !known.includes(sentence))).toEqual([])
  expect([fixed.minimum.replace('{min}', '7'), fixed.maximum.replace('{max}', '7')]).toEqual([minimum(7), maximum(7)])
  const refused: string[] = Object.values(refusals).map(({ message }) => message)
  // What only a program can cause is never shown.
  const toPrograms: string[] = [refusals.tooLarge.message, refusals.unsupported.message]
  expect(refused.filter((sentence) => !known.includes(sentence) && !toPrograms.includes(sentence))).toEqual([])
  expect(known).toEqual(
    expect.arrayContaining([reasonUnknown, selectedIdsInvalid, reservedForCustomer, reservedForEditors]),
  )
})

test('what the contract says to every caller is the English of the catalogue', () => {
  for (const [reason, sentence] of Object.entries(deskReasons)) expect(help).toHaveProperty([`try.${reason}`], sentence)
  for (const [reason, sentence] of Object.entries(reasons)) expect(help).toHaveProperty([`voucher.${reason}`], sentence)
  for (const [kind, word] of Object.entries(stayWords)) expect(desk).toHaveProperty([`day.${kind}`], word)
  expect([desk['test.valid'], desk['test.invalid']]).toEqual([messages.voucherTest.valid, messages.voucherTest.invalid])
  const { profile, activity, teams, integrations, apiKeys, footerBranding, logOut } = messages.userMenu
  expect(Object.values(frame)).toEqual(
    expect.arrayContaining([profile, activity, teams, integrations, apiKeys, footerBranding, logOut]),
  )
  expect([frame.cancel, frame.accept, forms.update, forms.create]).toEqual([
    messages.modal.cancel,
    messages.modal.accept,
    messages.portal.update,
    messages.portal.create,
  ])
})
