// Fields: each field of a property has the same label in its form, overview, list, export and log.
import { labelOf } from '#contract/fields.ts'
import { fields, PropertyRow } from '#contract/properties.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'

const described = Object.entries(fields)
const labelsIn = (...sections: string[]) =>
  described.filter(([, { section }]) => section && sections.includes(section)).map(([, { label }]) => label)

test('a field of a property has the same label everywhere', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  // Groups and collections are asked for where there are some.
  await ask(foyer, '/groups-create', { name: 'Quays' }, token)
  await ask(foyer, '/collections-create', { name: 'By the sea' }, token)
  const made = { name: 'Lantern Quay', country_id: 1, network_name: 'Lantern', mri_enabled: true }
  const { data } = await ask(foyer, '/properties-create', made, token)
  const id = Number(data['id'])
  await enter(page, token)

  // Without a connection to the books there are no contacts to choose from.
  const form = labelsIn('property', 'address', 'wifi', 'billing', 'mri').filter(
    (label) => label !== fields.accounting_contact_id.label,
  )
  expect(form.length).toBeGreaterThan(20)
  await page.goto(`/customer/properties/update?id=${id}&tab=details`)
  for (const label of form)
    await expect(
      page
        .getByRole('main')
        .getByText(new RegExp(`^${label}`))
        .first(),
    ).toBeVisible()
  await page.getByLabel(fields.network_name.label).fill('Quayside')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('The property has been updated')).toBeVisible()

  // The name is the heading, and the collections are shown in their own dialog.
  const facts = labelsIn('property', 'address', 'wifi').filter((label) => !['Name', 'Collections'].includes(label))
  await page.goto(`/customer/properties/update?id=${id}`)
  for (const label of facts) await expect(page.locator('dt', { hasText: label }).first()).toBeVisible()

  await page.goto('/customer/properties')
  await page.getByRole('button', { name: 'Columns' }).click()
  const listed = described.flatMap(([, { section, listed: inRows, label }]) => (section && inRows ? [label] : []))
  expect(listed.length).toBeGreaterThan(3)
  for (const label of listed.filter((label) => label !== 'Name'))
    await expect(page.getByRole('dialog', { name: 'Columns' }).getByText(label, { exact: true })).toBeVisible()

  const file = await fetch(`${foyer.url}/api/v1/properties-list-export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'app-context': 'customer' },
    body: JSON.stringify({ format: 'csv' }),
  })
  const [head = ''] = (await file.text()).replace(/^\uFEFF/, '').split(/\r?\n/)
  expect(head.split(',')).toEqual(Object.keys(PropertyRow.shape).map((name) => labelOf(name, fields)))

  await page.goto('/customer/user-profile?context=activity')
  await expect(page.locator('dt', { hasText: fields.network_name.label }).first()).toBeVisible()
})
