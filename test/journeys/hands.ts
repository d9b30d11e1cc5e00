// Hands: two ways to use the same screens, with the mouse or with the keyboard alone.

import { expect, type Locator, type Page } from '@playwright/test'

export interface Hands {
  /** Fills a text field. */
  type(label: string, text: string): Promise<void>
  /** Chooses one entry of a select. */
  choose(label: string, option: string): Promise<void>
  press(button: string): Promise<void>
  /** Ticks a box. */
  tick(box: string): Promise<void>
  /** Selects a radio button. */
  pick(radio: string): Promise<void>
  /** Opens the menu of a row, and chooses an entry. */
  fromMenu(row: Locator, item: string): Promise<void>
  follow(link: string): Promise<void>
}

const exactly = { exact: true } as const
const field = (page: Page, label: string) => page.getByRole('textbox', { name: new RegExp(`^${label}\\b`) })
/** The first one, because an empty list has the same link in its heading and below. */
const linkOf = (page: Page, link: string) => page.getByRole('link', { name: link, ...exactly }).first()
const select = (page: Page, label: string) => page.getByRole('combobox', { name: new RegExp(`^${label}\\b`) })

export const mouse = (page: Page): Hands => ({
  async type(label, text) {
    await field(page, label).click()
    await field(page, label).fill(text)
  },
  async choose(label, option) {
    await select(page, label).click()
    await page.getByRole('option', { name: option, ...exactly }).click()
  },
  press: (button) => page.getByRole('button', { name: button, ...exactly }).click(),
  tick: (box) => page.getByRole('checkbox', { name: box, ...exactly }).check(),
  pick: (radio) => page.getByRole('radio', { name: radio, ...exactly }).check(),
  async fromMenu(row, item) {
    await row.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: item, ...exactly }).click()
  },
  async follow(link) {
    await openMenu(page, link, (button) => button.click())
    await linkOf(page, link).click()
  },
})

export const keyboard = (page: Page): Hands => ({
  async type(label, text) {
    await tabTo(page, field(page, label))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  },
  async choose(label, option) {
    await tabTo(page, select(page, label))
    await page.keyboard.press('ArrowDown')
    const lit = page.locator('[role="option"][data-combobox-selected]')
    await expect(async () => {
      if ((await lit.textContent({ timeout: 200 }).catch(() => '')) === option) return
      await page.keyboard.press('ArrowDown')
      expect(await lit.textContent({ timeout: 200 })).toBe(option)
    }).toPass({ intervals: [50] })
    await page.keyboard.press('Enter')
  },
  async press(button) {
    await tabTo(page, page.getByRole('button', { name: button, ...exactly }))
    await page.keyboard.press('Enter')
  },
  async tick(box) {
    await tabTo(page, page.getByRole('checkbox', { name: box, ...exactly }))
    await page.keyboard.press('Space')
  },
  async pick(radio) {
    const wanted = page.getByRole('radio', { name: radio, ...exactly })
    // A radio group is one Tab stop, its checked button; arrow keys select the others, and wrap around.
    const name = await wanted.getAttribute('name')
    await tabTo(page, page.locator(`input[type=radio][name="${name}"]:checked`))
    await walkTo(page, 'ArrowDown', wanted)
  },
  async fromMenu(row, item) {
    // The rows are one Tab stop; arrow keys move between them.
    await tabTo(page, page.getByRole('grid').locator('tbody tr[tabindex="0"]'))
    await walkTo(page, 'ArrowDown', row)
    await page.keyboard.press('Shift+F10')
    await walkTo(page, 'ArrowDown', page.getByRole('menuitem', { name: item, ...exactly }))
    await page.keyboard.press('Enter')
  },
  async follow(link) {
    const press = async (button: Locator) => {
      await tabTo(page, button)
      await page.keyboard.press('Enter')
    }
    await openMenu(page, link, press)
    await press(linkOf(page, link))
  },
})

/** In a narrow window the menu is opened by its button. */
async function openMenu(page: Page, link: string, press: (button: Locator) => Promise<unknown>) {
  const button = page.getByRole('button', { name: 'Open menu' })
  const inMenu = page.locator('nav').getByText(link, exactly)
  // A page that is still loading has neither.
  await expect(
    button
      .or(page.getByRole('link', { name: link, ...exactly }))
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
  if ((await button.isVisible()) && (await inMenu.count()) > 0) await press(button)
}

const presses_max = 80

const tabTo = (page: Page, target: Locator) => walkTo(page, 'Tab', target)

/** Presses a key until the target has the focus. */
export async function walkTo(page: Page, key: string, target: Locator) {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < presses_max; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${String(target)}.`)
}

/** Hands whose steps are counted. */
export interface Counted {
  click: (target: Locator) => Promise<void>
  press: (key: string) => Promise<void>
  word: (word: string) => Promise<void>
  /** Puts a word in the place of what stands in a field: a click, or the keys that lead there, and the word. */
  put: (field: Locator, word: string) => Promise<void>
  /** Chooses a file: one. */
  choose: (opens: Locator, file: { name: string; mimeType: string; buffer: Buffer }) => Promise<void>
  steps: () => number
}

/**
 * A word that is typed, a click and a key that chooses count as one each. By keys alone, those that move the focus (Tab and arrows) are
 * not counted.
 */
export function counted(page: Page, byKeys: boolean): Counted {
  let steps = 0
  const reach = async (target: Locator) => {
    const role = await target.getAttribute('role')
    // The tabs are one stop, at the one that is open.
    if (role === 'tab') await walkTo(page, 'Tab', page.getByRole('tab', { selected: true }))
    // So are radio buttons, at the one that is checked; the arrows choose.
    if ((await target.getAttribute('type')) === 'radio') {
      const name = await target.getAttribute('name')
      await walkTo(page, 'Tab', page.locator(`input[type=radio][name="${name}"]:checked`))
      return walkTo(page, 'ArrowDown', target)
    }
    await walkTo(page, role === 'menuitem' ? 'ArrowDown' : role === 'tab' ? 'ArrowRight' : 'Tab', target)
    await page.keyboard.press('Enter')
  }
  return {
    click: async (target) => {
      await (byKeys ? reach(target) : target.click())
      steps++
    },
    press: async (key) => {
      await page.keyboard.press(key)
      steps++
    },
    word: async (word) => {
      await page.keyboard.type(word)
      steps++
    },
    put: async (field, word) => {
      if (byKeys) await walkTo(page, 'Tab', field)
      else if (!(await field.evaluate((element) => element === document.activeElement))) {
        await field.click()
        steps++
      }
      await field.fill(word)
      steps++
    },
    choose: async (opens, file) => {
      const choosing = page.waitForEvent('filechooser')
      await (byKeys ? reach(opens) : opens.click())
      await (await choosing).setFiles(file)
      steps++
    },
    steps: () => steps,
  }
}
