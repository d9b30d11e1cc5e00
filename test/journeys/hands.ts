// Hands: two ways to use the same screens. One points and clicks, the other has only a keyboard.

import { expect, type Locator, type Page } from '@playwright/test'

export interface Hands {
  /** Fills a text field. */
  type(label: string, text: string): Promise<void>
  /** Chooses one entry of a select. */
  choose(label: string, option: string): Promise<void>
  press(button: string): Promise<void>
  follow(link: string): Promise<void>
}

const exactly = { exact: true } as const
const field = (page: Page, label: string) => page.getByRole('textbox', { name: new RegExp(`^${label}\\b`) })
/** An empty list offers the same link in its heading and below. */
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
  async follow(link) {
    const press = async (button: Locator) => {
      await tabTo(page, button)
      await page.keyboard.press('Enter')
    }
    await openMenu(page, link, press)
    await press(linkOf(page, link))
  },
})

/** On a narrow window the menu stands behind its button. */
async function openMenu(page: Page, link: string, press: (button: Locator) => Promise<unknown>) {
  const button = page.getByRole('button', { name: 'Open menu' })
  const inMenu = page.locator('nav').getByText(link, exactly)
  if ((await button.isVisible()) && (await inMenu.count()) > 0) await press(button)
}

const tabs_max = 80

async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let tabs = 0; tabs < tabs_max; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${String(target)}.`)
}
