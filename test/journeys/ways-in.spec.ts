// Ways in: every screen that a user may see is reached by a link on another one, for users of each context and right. The table of
// addresses lists all screens, so a new one is checked automatically.
//
// `npm run proofs` covers all users; otherwise only those of a property are covered.
import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import type { Context } from '#contract/shapes.ts'
import { screensOf, type ScreenName } from '#web/paths.ts'
import { examples } from '#test/journeys/addresses.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { atRest, furnish, isAbsent } from '#test/journeys/furnished.ts'
import { enter } from '#test/journeys/people.ts'
import { full } from '#test/proofs/proof.ts'

test.describe.configure({ mode: 'parallel' })

const people: [who: string, context: Context, user_type_id: number, always: boolean][] = [
  ['an editor of the customer', 'customer', 2, false],
  ['a viewer of the customer', 'customer', 1, false],
  ['the front desk of the customer', 'customer', 3, false],
  ['an editor of a group', 'group', 2, false],
  ['a viewer of a group', 'group', 1, false],
  ['an editor of a property', 'property', 2, true],
  ['the front desk of a property', 'property', 3, true],
]

const front_desk = 3

/** Screens that are shown only after something was saved. */
const isAfterSaving = (name: ScreenName) => name.endsWith('/success')

interface Way {
  name: ScreenName
  href: string
}
/** The same for links that differ only in their record, of which one is enough. */
const patternOf = ({ name, href }: Way) => {
  const query = new URL(href, 'http://x').searchParams
  return [name, query.get('kind'), ...[...query.keys()].toSorted()].join(' ')
}

/** The links of this page, in menus and tabs as well: the first of each pattern. */
async function linksOn(page: Page, context: Context): Promise<Map<string, Way>> {
  const found = new Map<string, Way>()
  const collect = async () => {
    const hrefs = await page.locator('a[href]').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    for (const href of hrefs) {
      const [path = ''] = (href ?? '').split(/[?#]/)
      const name = screensOf(context).find((screen) => path === `/${context}/${screen}`)
      if (!name || href === null || href.includes('modal=')) continue
      const way = { name, href }
      if (!found.has(patternOf(way))) found.set(patternOf(way), way)
    }
  }
  await collect()
  // The menu of the list, and that of its first row.
  for (const menu of [
    page.getByRole('button', { name: /^More / }),
    page.getByRole('button', { name: /^Actions for / }),
  ]) {
    const first = menu.filter({ visible: true }).first()
    if ((await first.count()) === 0) continue
    await first.click({ timeout: 5000 }).catch(() => {})
    await collect()
    await page.keyboard.press('Escape')
  }
  const tabs = page.getByRole('tab')
  for (let tab = 1; tab < (await tabs.count()); tab++) {
    await tabs.nth(tab).click()
    await atRest(page)
    await collect()
  }
  return found
}

for (const [who, context, user_type_id, always] of people)
  test(`${who} reaches every screen that they may see by links`, async ({ page, foyer }) => {
    test.skip(!always && !full, 'in the proofs')
    test.setTimeout(300_000)
    const { ids, token } = await (await furnish(foyer)).within(context, user_type_id)
    await enter(page, token)
    // The home of a front desk is its day.
    const homes: ScreenName[] = user_type_id === front_desk ? ['dashboard', 'today'] : ['dashboard']
    const [seen, opened] = [new Set(homes), new Set<string>()]
    const ahead = [`/${context}/dashboard`]
    for (let address = ahead.shift(); address !== undefined; address = ahead.shift()) {
      await page.goto(address)
      await atRest(page)
      for (const [pattern, { name, href }] of await linksOn(page, context)) {
        seen.add(name)
        if (opened.has(pattern)) continue
        opened.add(pattern)
        ahead.push(href)
      }
    }
    const unreachable: string[] = []
    for (const name of screensOf(context)) {
      const address = `/${context}/${name}${examples[name](ids).at(-1) ?? ''}`
      if (seen.has(name) || isAfterSaving(name) || isAbsent(address)) continue
      await page.goto(address)
      await atRest(page)
      const closed = page
        .getByText('Your permission does not include this')
        .or(page.getByText(messages.errorPages.routeNotFound))
      if ((await closed.count()) === 0) unreachable.push(address)
    }
    expect(unreachable, 'no link leads there').toEqual([])
  })
