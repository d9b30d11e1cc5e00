// Print: opens a sheet in a new tab, where the browser shows and prints it. The tab must be opened directly by the press, before
// the sheet has loaded, or the pop-up blocker prevents it.
import { save } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { say } from '#web/words/frame.ts'

/** If the browser blocks the tab, the sheet is downloaded instead. Rejects with the error of `fetching`. */
export async function openSheet(fetching: () => Promise<File>): Promise<void> {
  const tab = window.open('', '_blank')
  if (tab) {
    tab.document.title = say('preparing')
    tab.document.body.textContent = say('preparing-sheet')
    tab.document.body.style.font = '15px system-ui'
  }
  try {
    const sheet = await fetching()
    if (!tab || tab.closed) return save(sheet)
    const address = URL.createObjectURL(sheet)
    tab.location.replace(address)
    // Once loaded, the tab keeps the sheet; a slow one needs a while.
    setTimeout(() => URL.revokeObjectURL(address), 120_000)
  } catch (error) {
    tab?.close()
    throw error
  }
}

export interface Card {
  title: string
  note: string
  lines: readonly (readonly [label: string, value: string])[]
}

/** Opens the tab directly by the press, before the cards have loaded. Each is on a page of its own. */
export async function printLoaded(load: () => Promise<readonly Card[]>): Promise<void> {
  const tab = openSlip()
  if (!tab) return
  try {
    printIn(tab, await load())
  } catch (error) {
    tab.close()
    throw error
  }
}

/** Prints a few lines in large letters, such as a guest's sign-in, from a tab that closes after printing. */
export function printCard(card: Card) {
  const tab = openSlip()
  if (tab) printIn(tab, [card])
}

function openSlip(): Window | null {
  const tab = window.open('', '_blank')
  if (!tab) notify.error(say('slip-blocked'))
  return tab
}

function printIn(tab: Window, cards: readonly Card[]) {
  const { document } = tab
  document.title = cards[0]?.title ?? ''
  for (const { title, note, lines } of cards) {
    const page = document.createElement('section')
    page.style.breakAfter = 'page'
    const addLine = (text: string, size_px: number, weight = 400) => {
      const line = document.createElement('p')
      line.textContent = text
      Object.assign(line.style, { margin: '0 0 6px', font: `${weight} ${size_px}px system-ui, sans-serif` })
      page.append(line)
    }
    addLine(title, 20, 700)
    addLine(note, 14)
    for (const [label, value] of lines) {
      addLine(label, 12)
      addLine(value, 24, 650)
    }
    document.body.append(page)
  }
  tab.addEventListener('afterprint', () => tab.close())
  tab.print()
}
