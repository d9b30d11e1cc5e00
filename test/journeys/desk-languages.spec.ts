// The desk in its further languages: a day's tasks in German, and a sweep that reads every text of the desk's screens in each language and
// finds those that are not in its catalogue. What people entered is in Greek, so that all Latin words are the app's own.

import type { Page } from '@playwright/test'
import { dayFrom } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'
import { desk as deskInGerman } from '#catalogue/de/desk.ts'
import { fixed as fixedInGerman } from '#catalogue/de/fixed.ts'
import { forms as formsInGerman } from '#catalogue/de/forms.ts'
import { frame as frameInGerman } from '#catalogue/de/frame.ts'
import { guests as guestsInGerman } from '#catalogue/de/guests.ts'
import { help as helpInGerman } from '#catalogue/de/help.ts'
import { limits as limitsInGerman } from '#catalogue/de/limits.ts'
import { phone as phoneInGerman } from '#catalogue/de/phone.ts'
import { desk as deskInSpanish } from '#catalogue/es/desk.ts'
import { fixed as fixedInSpanish } from '#catalogue/es/fixed.ts'
import { forms as formsInSpanish } from '#catalogue/es/forms.ts'
import { frame as frameInSpanish } from '#catalogue/es/frame.ts'
import { guests as guestsInSpanish } from '#catalogue/es/guests.ts'
import { help as helpInSpanish } from '#catalogue/es/help.ts'
import { limits as limitsInSpanish } from '#catalogue/es/limits.ts'
import { phone as phoneInSpanish } from '#catalogue/es/phone.ts'
import { desk as deskInFrench } from '#catalogue/fr/desk.ts'
import { fixed as fixedInFrench } from '#catalogue/fr/fixed.ts'
import { forms as formsInFrench } from '#catalogue/fr/forms.ts'
import { frame as frameInFrench } from '#catalogue/fr/frame.ts'
import { guests as guestsInFrench } from '#catalogue/fr/guests.ts'
import { help as helpInFrench } from '#catalogue/fr/help.ts'
import { limits as limitsInFrench } from '#catalogue/fr/limits.ts'
import { phone as phoneInFrench } from '#catalogue/fr/phone.ts'

const languages = {
  de: {
    name: 'Deutsch',
    areas: [
      deskInGerman,
      fixedInGerman,
      formsInGerman,
      frameInGerman,
      guestsInGerman,
      helpInGerman,
      limitsInGerman,
      phoneInGerman,
    ],
    desk: deskInGerman,
    forms: formsInGerman,
  },
  fr: {
    name: 'Français',
    areas: [
      deskInFrench,
      fixedInFrench,
      formsInFrench,
      frameInFrench,
      guestsInFrench,
      helpInFrench,
      limitsInFrench,
      phoneInFrench,
    ],
    desk: deskInFrench,
    forms: formsInFrench,
  },
  es: {
    name: 'Español',
    areas: [
      deskInSpanish,
      fixedInSpanish,
      formsInSpanish,
      frameInSpanish,
      guestsInSpanish,
      helpInSpanish,
      limitsInSpanish,
      phoneInSpanish,
    ],
    desk: deskInSpanish,
    forms: formsInSpanish,
  },
} as const
type Code = keyof typeof languages

/** The product, keys, units that are written alike, and the languages by their own names. */
const alike = ['foyer', 'ctrl', 'gb', 'mb', 'mbit', 'deutsch', 'français', 'español', 'english']

const wordsIn = (text: string) => text.toLowerCase().match(/\p{Script=Latin}{2,}/gu) ?? []

/** What the browser itself writes: months, days of the week, and how long ago. */
function wordsOfDates(locale: string): string[] {
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  const units = ['minute', 'hour', 'day'] as const
  const dates = Array.from({ length: 12 }, (_, month) => new Date(2026, month, month + 1))
  const styles = ['short', 'long'] as const
  return [
    ...units.flatMap((unit) => [1, 2, 5].flatMap((count) => wordsIn(ago.format(-count, unit)))),
    ...styles.flatMap((month) =>
      dates.flatMap((date) =>
        wordsIn(date.toLocaleDateString(locale, { weekday: month, month, day: 'numeric', year: 'numeric' })),
      ),
    ),
  ]
}

const vocabularyOf = (code: Code) =>
  new Set([
    ...alike,
    code,
    ...wordsOfDates(code),
    ...languages[code].areas.flatMap((area) => Object.values(area).flatMap((sentence) => wordsIn(sentence))),
  ])

/** Every text that is shown or read out, and every name that something has for those who do not see it. */
const textsOf = (page: Page) =>
  page.evaluate(() => {
    const isLeftOut = (element: Element) => element.closest('[translate="no"], script, style, noscript') !== null
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement && !isLeftOut(node.parentElement)) texts.push(node.textContent ?? '')
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        if (!isLeftOut(element)) texts.push(element.getAttribute(name) ?? '')
    return texts.map((text) => text.trim()).filter(Boolean)
  })

/** Texts with a word that no sentence of the language has. Addresses of mails, of devices and of pages are no words. */
async function strangersIn(page: Page, code: Code): Promise<string[]> {
  const known = vocabularyOf(code)
  const plain = (text: string) =>
    text.replaceAll(
      /\S+@\S+|https?:\S+|\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b|\b[A-Z2-9]{4}(?:-[A-Z2-9]{4})+\b|\bB-[\w-]+/gi,
      ' ',
    )
  return (await textsOf(page)).filter((text) => wordsIn(plain(text)).some((word) => !known.has(word)))
}
const expectSpoken = (page: Page, code: Code) =>
  expect.poll(() => strangersIn(page, code), { message: `${code} ${page.url()}`, timeout: 10_000 }).toEqual([])

let houses = 0
/** A house whose names are all Greek: one guest who leaves, one overdue, two in house as a group, one expected; and its receptionist. */
async function openGreekHouse(foyer: Foyer) {
  const own = `${process.pid}${++houses}`
  const token = await operatorToken(foyer)
  const { data: pack } = await ask(foyer, '/packages-create', { name: `Ημέρα ${own}`, max_users: 2 }, token)
  const place = { name: `Φανάρι ${own}`, draft: true, package_id: pack['id'], time_zone: 'Pacific/Kiritimati' }
  const { data: property } = await ask(foyer, '/properties-create', place, token)
  const property_id = Number(property['id'])
  const desk = await join(foyer, {
    email: `greek.${own}@harbour.example`,
    name: 'Δώρα Ρεσεψιόν',
    user_type_id: 3,
    owner_type: 'properties',
    owner_id: property_id,
  })
  const { data: today } = await ask(foyer, '/today', { property_id }, token)
  const day = String(today['day'])
  const { data: made } = await ask(
    foyer,
    '/rooms-create',
    { property_id, numbers: ['201', '202', '203', '204', '205', '206'] },
    token,
  )
  const ids = made['ids'] as number[]
  const stay = async (room: number, last_name: string, arrives: number, departs: number) => {
    const days = { arrives_on: dayFrom(day, arrives), departs_on: dayFrom(day, departs) }
    const ask_ = { room_id: ids[room], last_name, email: `guest${room}@example.com`, ...days }
    const { data } = await ask(foyer, '/room-guests-create', ask_, token)
    return { id: Number(data['id']), stay_id: Number(data['stay_id']) }
  }
  const leaving = await stay(0, 'Αλεξίου', -2, 0)
  await stay(1, 'Βασιλείου', -5, -1)
  const staying = await stay(2, 'Γαβράς', -1, 3)
  await stay(3, 'Δημητρίου', 1, 2)
  await ask(foyer, '/stays-update', { id: staying.stay_id, group_name: 'Ομάδα', note: 'Σημείωση' }, token)
  const account = { name: 'Ζωή Μάρκου', username: `ζωή${own}`, password: 'quay-2345', property_id }
  const { data: guest } = await ask(foyer, '/accounts-create', account, token)
  await ask(foyer, '/accounts-deactivate', { ids: [guest['id']] }, token)
  const device = { name: 'Τηλεόραση', mac_address: `02:00:00:aa:${own.slice(-2)}:0${houses}`, property_id }
  const { data: television } = await ask(foyer, '/devices-create', device, token)
  return {
    desk,
    day,
    property_id,
    rooms: ids,
    leaving,
    staying,
    account_id: Number(guest['id']),
    device_id: Number(television['id']),
  }
}

const field = (page: Page) => page.locator('input[role=combobox]').first()

async function chooseLanguage(page: Page, code: Code) {
  await page.getByRole('button', { name: /^Language: / }).click()
  await page.getByRole('menuitem', { name: languages[code].name }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', code)
}

test('a day at the desk in German', async ({ page, foyer }) => {
  test.setTimeout(180_000)
  const { expectNothing } = watch(page)
  const { desk } = await openGreekHouse(foyer)
  await enter(page, desk)
  await page.goto('/property/dashboard')
  await chooseLanguage(page, 'de')
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  const said = (text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()
  const find = async (word: string) => {
    await page.goto('/property/dashboard')
    await field(page).fill(word)
  }

  await test.step('the choice goes with the person: another browser speaks German from the start', async () => {
    const other = await page.context().browser()?.newContext()
    const elsewhere = await other?.newPage()
    if (!elsewhere) throw new Error('there is no second browser')
    await enter(elsewhere, desk)
    await elsewhere.goto(`${foyer.url}/property/dashboard`)
    await expect(elsewhere.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible()
    await other?.close()
  })

  await test.step('the verdict, and what mends it', async () => {
    await find('Ζωή')
    await said(/^Das Konto Ζωή Μάρκου ist deaktiviert\.$/)
    await button('Konto aktivieren').click()
    await said('Das Konto ist aktiviert.')
    // What is left is the house's, which has no gateway.
    await said(/^In diesem Haus ist kein Gateway eingetragen/)
    await expectSpoken(page, 'de')
  })

  await test.step('a night more, and taken back', async () => {
    await find('Γαβράς')
    await button('Eine Nacht länger').click()
    await said(/^Γαβράς bleibt bis \d/)
    await expectSpoken(page, 'de')
    await button('Rückgängig').click()
    await said('Rückgängig gemacht: neue Abreise')
  })

  await test.step('into another room', async () => {
    await button('Zimmer wechseln').click()
    const dialog = page.getByRole('dialog', { name: 'Zimmerwechsel: Γαβράς' })
    await dialog.getByRole('combobox').fill('205')
    await page.getByRole('option', { name: '205' }).click()
    await expectSpoken(page, 'de')
    await dialog.getByRole('button', { name: 'Zimmer wechseln' }).click()
    await said('Γαβράς wohnt jetzt in Zimmer 205')
  })

  await test.step('what was used, by mail', async () => {
    await find('Γαβράς')
    const used = page.getByRole('region', { name: 'In diesem Aufenthalt genutzt' })
    await used.getByRole('button', { name: 'E-Mail' }).click()
    await used.getByRole('button', { name: 'Senden' }).click()
    await said('Gesendet an guest2@example.com')
    await expectSpoken(page, 'de')
  })

  await test.step('a code for a guest', async () => {
    await page.goto('/property/dashboard')
    await page.getByRole('link', { name: 'Code ausgeben' }).click()
    const dialog = page.getByRole('dialog', { name: 'Code ausgeben' })
    await expectSpoken(page, 'de')
    await dialog.getByRole('button', { name: 'Gutschein erstellen' }).click()
    await expect(dialog.getByText('1 Gutschein ist fertig')).toBeVisible()
    await expectSpoken(page, 'de')
  })

  await test.step('check in', async () => {
    await page.goto('/property/dashboard')
    await page.getByRole('link', { name: 'Einchecken' }).click()
    await page.getByRole('textbox', { name: 'Nachname' }).fill('Ηλιάδη')
    await page.getByRole('combobox', { name: 'Zimmer' }).fill('206')
    await page.getByRole('option', { name: '206' }).click()
    await expectSpoken(page, 'de')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Einchecken' }).click()
    await said('Ηλιάδη ist eingecheckt')
    await expectSpoken(page, 'de')
  })

  await test.step('check out', async () => {
    await find('Αλεξίου')
    await said('Reist heute ab')
    await button('Auschecken').click()
    const question = page.getByRole('dialog', { name: 'Αλεξίου auschecken?' })
    await expectSpoken(page, 'de')
    await question.getByRole('button', { name: 'Auschecken' }).click()
    await said('Αλεξίου ist ausgecheckt')
  })

  await test.step('the shift is told', async () => {
    await page.goto('/property/dashboard')
    await button('Was getan wurde').click()
    await said(/hat Αλεξίου ausgecheckt/)
    await expectSpoken(page, 'de')
  })
  expectNothing()
})

for (const code of ['de', 'fr', 'es'] as const)
  for (const width of [1440, 390])
    test(`every text of the desk is of the catalogue: ${code}, ${width} px`, async ({ page, foyer }) => {
      test.setTimeout(180_000)
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      const house = await openGreekHouse(foyer)
      const { desk, property_id, rooms, leaving, staying, account_id, device_id } = house
      await enter(page, desk)
      await page.goto('/property/dashboard')
      await chooseLanguage(page, code)
      const say = languages[code].desk
      const check = async (ready: string | RegExp) => {
        await expect(page.getByText(ready).first()).toBeAttached()
        await expectSpoken(page, code)
        await expectFitting(page)
      }
      await check(say['day.to-do'])
      for (const kind of ['overdue', 'arriving', 'leaving', 'in_house'] as const) {
        await page.getByRole('tab', { name: new RegExp(`^${say[`day.${kind}`]} \\d`) }).click()
        await check(say[`day.${kind}`])
      }
      for (const word of ['Γαβράς', 'Ζωή', 'Τηλεόραση', 'Ομάδα', '204', 'Κανείς']) {
        await field(page).fill(word)
        await expect(page.getByText(word).first()).toBeAttached()
        await expectSpoken(page, code)
        await expectFitting(page)
      }
      for (const [address, ready] of [
        [`guest-help?kind=stay&id=${staying.id}`, 'Γαβράς'],
        [`guest-help?kind=account&id=${account_id}`, 'Ζωή Μάρκου'],
        [`guest-help?kind=device&id=${device_id}`, 'Τηλεόραση'],
        [`room-guests/update?property_id=${property_id}`, say['form.stay-hint']],
        [`room-guests/update?room_id=${rooms[4]}`, say['form.stay-hint']],
        [`room-guests/update?id=${leaving.id}`, say['form.stay-hint']],
        [`dashboard?modal=one-voucher`, say['code.package-hint']],
        [`dashboard?modal=test-voucher`, say['test.code']],
        [`dashboard?modal=stay&stay_id=${staying.stay_id}`, say['form.note-hint']],
        ['dashboard?modal=stay', say['form.no-stay']],
      ] as const) {
        await page.goto(`/property/${address}`)
        await check(ready)
      }
      await page.goto(`/property/dashboard?modal=stay&stay_id=${staying.stay_id}`)
      const stay = page.getByRole('dialog')
      await stay.getByRole('textbox', { name: new RegExp(`^${say['form.note']}`) }).fill('Ήσυχο δωμάτιο')
      await page.keyboard.press('Escape')
      await check(languages[code].forms['leave-unsaved'])
      await page.getByRole('button', { name: languages[code].forms.leave, exact: true }).click()
      await page.goto('/mobile')
      await check(say['day.leaving'])
    })
