// Layouts: the three layouts of portals, with the names and hints of the chooser.
import { messages } from '#contract/messages.ts'
import { portalLayouts } from '#contract/portals.ts'

interface LayoutChoice {
  id: number
  name: string
  hint: string
}
export const layoutChoices: LayoutChoice[] = [
  { id: portalLayouts.horizontal, name: messages.portal.horizontal, hint: 'Words on the left, the form on the right' },
  { id: portalLayouts.vertical, name: messages.portal.vertical, hint: 'Logo, words and form below each other' },
  { id: portalLayouts.withImage, name: messages.portal.withImage, hint: 'A picture beside the form' },
]

export const isLayout = (id: number | undefined): id is number => layoutChoices.some((layout) => layout.id === id)
