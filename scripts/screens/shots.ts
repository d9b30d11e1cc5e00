// Shots: what to take pictures of: each screen with each example of its address, each dialog, and each overlay.
import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import type { Context } from '#contract/shapes.ts'
import { examples, signedOut, type Ids } from '#test/journeys/addresses.ts'
import { modals, screensOf, type ModalName } from '#web/paths.ts'

export interface Shot {
  name: string
  address: string
  /** Opens something on the screen first; false if there is nothing to open. Tabs are found without it. */
  open?: (page: Page) => Promise<boolean>
  /** An overlay, in the middle of the window. */
  over?: true
}

export const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export const signedOutShots: Shot[] = [...signedOut, '/signup'].map((address) => ({
  name: slugOf(address.replace(/a{40}/, '')),
  address,
}))

/** The shots of a context; overlays only if they are not the same as for another user. */
export function shotsOf(context: Context, ids: Ids & { session: unknown }, withOverlays: boolean): Shot[] {
  const inside = screensOf(context).flatMap((screen) =>
    examples[screen](ids)
      .filter((query) => !query.includes('undefined'))
      .map((query) => ({
        name: [slugOf(screen), slugOf(query.replace(/=\d+/g, ''))].filter(Boolean).join('.'),
        address: `/${context}/${screen}${query}`,
      })),
  )
  const lost = ['nowhere', 'groups/update?id=999999'].map((rest) => ({
    name: slugOf(`lost ${rest}`),
    address: `/${context}/${rest}`,
  }))
  return [
    ...inside,
    ...lost,
    { name: 'mobile', address: '/mobile' },
    ...(withOverlays ? [...dialogs(context, ids), ...overlays(context)] : []),
  ]
}

/** Each dialog that has an address, without a record and with the first one that it takes. */
function dialogs(context: Context, ids: Ids & { session: unknown }): Shot[] {
  const known: Record<string, unknown> = {
    collection_id: ids.collection,
    group_id: ids.group,
    id: ids.collection,
    batch_id: ids.batch,
    portal_id: ids.portal,
    property_id: ids.property,
    session_id: ids.session,
    team_id: ids.team,
  }
  return Object.entries(modals).flatMap(([name, keys]: [string, readonly string[]]) => {
    const [key] = keys
    const about = key !== undefined && known[key] !== undefined ? [`&${key}=${String(known[key])}`] : []
    return ['', ...about].map((query) => ({
      name: ['dialog', name as ModalName, slugOf(query.replace(/=\d+/, ''))].filter(Boolean).join('.'),
      address: `/${context}/dashboard?modal=${name}${query}`,
      over: true,
    }))
  })
}

/** Overlays that have no address. */
function overlays(context: Context): Shot[] {
  const list = `/${context}/accounts`
  const press = (name: string | RegExp) => async (page: Page) => {
    const button = page.getByRole('button', { name }).filter({ visible: true }).first()
    if ((await button.count()) === 0) return false
    await button.click()
    return true
  }
  const fromRow = (verb: string) => async (page: Page) => {
    if (!(await press(/^Actions for/)(page))) return false
    const item = page.getByRole('menuitem', { name: verb, exact: true })
    if ((await item.count()) === 0) return false
    await item.click()
    return true
  }
  const tickOne = async (page: Page) => {
    const box = page.getByRole('grid').getByRole('checkbox').nth(1)
    if ((await box.count()) === 0) return false
    await box.check()
    return true
  }
  const keys = (key: string) => async (page: Page) => {
    await page.keyboard.press(key)
    return true
  }
  const shots: Record<string, [string, (page: Page) => Promise<boolean>]> = {
    palette: [list, keys('Control+k')],
    'list-of-keys': [list, keys('?')],
    'user-menu': [list, press(/user menu$/)],
    'menu-behind-its-button': [list, press('Open menu')],
    'menu-of-a-row': [list, press(/^Actions for/)],
    'more-filters': [list, press(messages.search.moreFilters)],
    columns: [list, press('Columns')],
    status: [list, press(/^Status/)],
    export: [list, press(/^Export/)],
    selected: [list, tickOne],
    'delete-asked': [list, fromRow(messages.lists.delete)],
    'disable-asked': [list, fromRow(messages.lists.disable)],
  }
  const opened = (page: Page) =>
    page.locator('[role=dialog], [role=menu], [role=listbox], [role=toolbar]').first().waitFor({ timeout: 10_000 })
  return Object.entries(shots).map(([name, [address, open]]) => ({
    name: `over.${name}`,
    address,
    over: true,
    async open(page) {
      const pressed = await open(page)
      if (pressed) await opened(page).catch(() => undefined)
      return pressed
    },
  }))
}
