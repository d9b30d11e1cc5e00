// Desk house: a property with its receptionist and a few guests, and the parts of the desk's screen that journeys look at.

import type { Page } from '@playwright/test'
import { expect } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'

const day_ms = 86_400_000
export const dayFrom = (base: string, days: number) =>
  new Date(Date.parse(`${base}T12:00:00Z`) + days * day_ms).toISOString().slice(0, 10)

let houses = 0
/** A property with a guest who leaves today, one who is overdue and one who stays; and its receptionist. */
export async function openHouse(foyer: Foyer) {
  const own = `${process.pid}${++houses}`
  const token = await operatorToken(foyer)
  const { data: pack } = await ask(foyer, '/packages-create', { name: `Day pass ${own}` }, token)
  const place = { name: `Lantern Quay ${own}`, draft: true, package_id: pack['id'], time_zone: 'Pacific/Kiritimati' }
  const { data: property } = await ask(foyer, '/properties-create', place, token)
  const property_id = Number(property['id'])
  const email = `desk.${own}@harbour.example`
  const desk = await join(foyer, {
    email,
    name: 'Dora Desk',
    user_type_id: 3,
    owner_type: 'properties',
    owner_id: property_id,
  })
  const { data: today } = await ask(foyer, '/today', { property_id }, token)
  const day = String(today['day'])
  const numbers = ['201', '202', '203', '204', '205', '206']
  const { data: made } = await ask(foyer, '/rooms-create', { property_id, numbers }, token)
  const ids = made['ids'] as number[]
  const stay = async (room: number, last_name: string, arrives: number, departs: number) => {
    const stays = { arrives_on: dayFrom(day, arrives), departs_on: dayFrom(day, departs) }
    const { data } = await ask(foyer, '/room-guests-create', { room_id: ids[room], last_name, ...stays }, token)
    return Number(data['id'])
  }
  await stay(0, 'Abernathy', -2, 0)
  await stay(1, 'Birtwistle', -5, -1)
  await stay(2, 'Cadwallader', -1, 3)
  const account = { name: 'Zinnia Marsh', username: `zinnia${own}`, password: 'quay-2345', property_id }
  const { data: guest } = await ask(foyer, '/accounts-create', account, token)
  await ask(foyer, '/accounts-deactivate', { ids: [guest['id']] }, token)
  const device = { name: 'Kiosk Mirabel', mac_address: '02:00:00:aa:bb:01', property_id }
  await ask(foyer, '/devices-create', device, token)
  return { token, desk, email, day, property_id, name: place.name }
}

export async function openDesk(page: Page, token: string) {
  await enter(page, token)
  await page.goto('/property/dashboard')
  await expect(listed(page, 'Leaving').getByText('Abernathy')).toBeVisible()
}

export const field = (page: Page) => page.getByRole('combobox', { name: 'Guest, room or code' })
/** A list of the day, whose tab is open, or another part of the screen. */
export const listed = (page: Page, list: string) => page.getByRole('region', { name: list })
export const tab = (page: Page, list: string) => page.getByRole('tab', { name: new RegExp(`^${list} \\d`) })
/** Opens the tab of a list of the day. */
export async function openList(page: Page, list: string) {
  await tab(page, list).click()
  return listed(page, list)
}
export const expectText = (page: Page, sentence: string | RegExp) =>
  expect(page.getByText(sentence).first()).toBeVisible()
