// Lists by SFTP: where an installation receives files, the interface of a file drop shows to what address, and its key is taken.
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

test.use({ settings: { SIGNUP: 'open', SFTP_PORT: '29222', SFTP_HOST: '0.0.0.0' } })

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl pms@hotel'

test('a file drop shows the address for files, with its identifier as the user name', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'List House', draft: true }, token)
  const { data: made } = await ask(
    foyer,
    '/property-interfaces-create',
    {
      property_interface_type_id: 6,
      owner_type: 'Property',
      owner_id: property['id'],
      settings: { public_key: key },
    },
    token,
  )
  await enter(page, token)
  const seen = watch(page)
  await page.goto(`/customer/property-interfaces/update?id=${String(made['id'])}`)
  const address = page.getByText(`sftp://${String(made['uuid'])}@localhost:29222`)
  await expect(address).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(address).toBeVisible()
  await expectAccessible(page)
  await expectFitting(page)

  seen.expectNothing()
})
