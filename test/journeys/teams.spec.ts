// Teams: one is made, an existing user joins it, two people are invited into it, and it is disabled.

import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'

const sizes = [
  [390, 844],
  [1440, 900],
] as const
for (const [width, height] of sample(sizes, 1))
  test(`a team is made and filled at ${width} px`, async ({ page, foyer }) => {
    test.slow()
    await page.setViewportSize({ width, height })
    const { expectNothing } = watch(page)
    const hands = mouse(page)
    const person = { email: `ines-${width}@team.example`, name: 'Ines Costa', company_name: `Team ${width}` }
    const token = await operatorToken(foyer, person)
    await enter(page, token)
    await page.goto('/customer/user-profile?context=team')
    await expect(page.getByText('No teams yet')).toBeVisible()
    await hands.follow('New team')
    await hands.type('Name', 'Reception')
    await hands.choose('Invited as', 'Editor')
    await hands.press('Continue')
    await hands.press('Create')
    await expect(page).toHaveURL(/\/teams\/create\/success\?id=\d+$/)
    await expectAccessible(page)

    await hands.follow('Invite people They join the team, as Editor.')
    const dialog = page.getByRole('dialog', { name: 'Invite into Reception' })
    await expect(dialog.getByText('Editor')).toBeVisible()
    await dialog.getByRole('textbox', { name: /^Full name/ }).fill('Rui Alves')
    await dialog.getByRole('textbox', { name: /^E-mail/ }).fill(`rui-${width}@team.example`)
    await hands.press('Another person')
    await dialog
      .getByRole('textbox', { name: /^Full name/ })
      .last()
      .fill('Vera Okafor')
    await dialog
      .getByRole('textbox', { name: /^E-mail/ })
      .last()
      .fill(`vera-${width}@team.example`)
    await expectAccessible(page)
    await hands.press(messages.team.sendInvite)
    await expect(page.getByText(messages.team.invited)).toBeVisible()
    await expect(page).toHaveURL(/\/teams\/create\/success\?id=\d+$/)

    await hands.follow('Open the team')
    const inside = page.getByRole('region', { name: 'In the team' })
    await expect(inside.getByRole('listitem')).toHaveCount(2)
    await hands.press('Add Ines Costa')
    await expect(page.getByText(messages.collections.memberAdded)).toBeVisible()
    await expect(inside.getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
    await hands.choose('Permission of Rui Alves', 'Viewer')
    await hands.press(messages.team.downgrade)
    await expect(page.getByText(messages.team.permissionsUpdated)).toBeVisible()
    await hands.press('Remove Ines Costa')
    await page.getByRole('dialog').getByRole('button', { name: messages.team.remove, exact: true }).click()
    await expect(page.getByText(messages.collections.memberRemoved)).toBeVisible()
    await expect(inside.getByRole('listitem')).toHaveCount(2)

    await page.getByRole('button', { name: 'More about this team' }).click()
    await page.getByRole('menuitem', { name: messages.lists.disable }).click()
    await page.getByRole('dialog').getByRole('button', { name: messages.lists.disable, exact: true }).click()
    await expect(page.getByRole('link', { name: 'Invite people' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Teams', exact: true }).click()
    await expect(page.getByRole('row', { name: /Reception/ })).toContainText('Rui Alves, Vera Okafor')
    await expectAccessible(page)
    const rui = (await ask(foyer, '/users', { searchValue: 'Rui Alves' }, token)).data as unknown as object[]
    expect(rui).toMatchObject([{ user_type_id: 1, owner_type: 'Customer' }])
    expectNothing()
  })
