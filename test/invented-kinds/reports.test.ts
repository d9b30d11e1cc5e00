// An invented kind of report: the files of bells/, each with its line in a list, and nothing else. It stands beside the others: it is read,
// refused, filed, saved and listed by the API, and has an address, a screen, and a place in the navigation and the palette.
import { bells } from './bells/contract.ts'
import './bells/server.ts'
import { word } from './bells/web.ts'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import fs from 'node:fs'
import path from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { ReportScreens } from '#web/frame/report-screens.ts'
import { ReportsNav } from '#web/frame/reports-nav.tsx'
import { screensOf, to } from '#web/paths.ts'
import { listedReports, screenAt } from '#web/screens.tsx'
import { enterContext } from '#web/session/context.ts'
import { UiProvider } from '#web/ui/provider.tsx'

describe('by the API', () => {
  let foyer: TestFoyer
  let editor: Person
  beforeAll(async () => {
    foyer = await openFoyer()
    editor = await foyer.customer()
  })
  afterAll(() => foyer.close())

  const asked = { kind: word, date_range: 'last_7_days' } as const
  /** Its rows are of no shape that the compiler knows. */
  const rowsOf = async (more: object = {}) => {
    const { data, meta } = await foyer.get(reports.run, { ...asked, ...more }, editor)
    return { data: data as unknown[], meta }
  }

  test('its rows, columns and totals are read, in its own orders alone', async () => {
    const { data, meta } = await rowsOf({ sort: '-strokes' })
    expect(data).toEqual([{ tower: 'The tower', strokes: 12 }])
    expect(meta.columns.map(({ key }) => key)).toEqual(['tower', 'strokes'])
    expect((await foyer.ask(reports.run, { ...asked, sort: '-start' }, editor)).text).toContain('"sort"')
    expect(
      (await foyer.ask(reports.run, { ...asked, kind: 'session', sort: '-strokes' } as never, editor)).text,
    ).toContain('"sort"')
  })

  test('what it cannot be narrowed by is refused in its own words, and a word of no kind by those of all', async () => {
    const narrowed = await foyer.ask(reports.run, { ...asked, package_ids: [1] }, editor)
    expect(narrowed.text).toContain('Bells ring for everybody')
    expectRefused(
      await foyer.ask(reports.run, { ...asked, kind: 'church_mice' } as never, editor),
      invalid({ kind: ['Please choose one of: session, free_wifi, billing, church_bells'] }),
    )
  })

  test('it is made into a file', async () => {
    const { bytes } = await foyer.file(reports.exportFile, { ...asked, format: 'csv' }, editor)
    expect(bytes.toString()).toMatch(/Tower,Strokes\r?\n"?The tower"?,12/)
  })

  test('it is saved, found by its word among the others, duplicated and sent by a schedule', async () => {
    await foyer.get(scheduled.create, { name: 'Every session', kind: 'session' }, editor)
    const { data: saved } = await foyer.get(
      scheduled.create,
      { ...asked, name: 'Every stroke', frequency: 3, start_date: '2099-01-01' },
      editor,
    )
    expect(saved).toMatchObject({ kind: 'church_bells' })
    const { data: found } = await foyer.get(reports.list, { filters: { kind: [word] } }, editor)
    expect(found.map(({ name }) => name)).toEqual(['Every stroke'])
    expect((await foyer.get(reports.duplicate, { id: saved.id }, editor)).data).toMatchObject({ kind: 'church_bells' })
    expect((await foyer.get(scheduled.listScheduled, {}, editor)).data).toMatchObject([
      { kind: 'church_bells' },
      { kind: 'church_bells' },
    ])
  })
})

describe('in the web app', () => {
  test('it has an address, as the others keep theirs', () => {
    enterContext('customer')
    expect(to.report(word, { report_id: 4 })).toBe('/customer/reports/church-bells?report_id=4')
    const own = ['reports/session', 'reports/free-wifi', 'reports/billing', 'reports/church-bells']
    expect(screensOf('customer')).toEqual(expect.arrayContaining(own))
    expect(screensOf('group').filter((screen) => own.includes(screen))).toEqual([])
  })

  test('there its own screen is loaded', async () => {
    const screen = screenAt('customer', 'reports/church-bells')
    await screen?.component.preload()
    expect(screen).toBeDefined()
  })

  test('the palette and the navigation lead there', async () => {
    expect(listedReports.map(({ title, screen }) => [title, screen])).toEqual([
      ['Session report', 'reports/session'],
      ['Free Wi-Fi report', 'reports/free-wifi'],
      ['Billing', 'reports/billing'],
      ['Bells report', 'reports/church-bells'],
    ])
    const router = createRouter({
      routeTree: createRootRoute({ component: ReportsNav }),
      history: createMemoryHistory({ initialEntries: ['/'] }),
    })
    await router.load()
    const drawn = renderToStaticMarkup(
      createElement(
        UiProvider,
        null,
        createElement(
          ReportScreens,
          { value: listedReports },
          createElement(RouterProvider, { router: router as never }),
        ),
      ),
    )
    expect(drawn).toContain('href="/customer/reports/church-bells"')
    expect(drawn).toContain('href="/customer/reports/free-wifi"')
  })
})

test('no kind is asked for by its word elsewhere, on either side', () => {
  const folders = ['server/reports', 'server/resources', 'web/resources/billing', 'web/resources/reports']
  const words = reports.reportKinds.filter((one: string) => one !== bells.word).join('|')
  const asking = folders
    .flatMap((folder) =>
      fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .filter((file) =>
      new RegExp(`[!=]== '(?:${words})'|'(?:${words})' [!=]==|case '(?:${words})':`).test(
        fs.readFileSync(file, 'utf8'),
      ),
    )
  expect(asking).toEqual([])
})
