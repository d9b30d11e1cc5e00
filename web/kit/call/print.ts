// Print: opens a sheet in a tab of its own, where the browser shows and prints it. The tab must be opened by the press
// itself, before the sheet has come, or the browser takes it for an advertisement.
import { save } from './call.ts'

/** Where tabs are refused, the sheet is saved instead. Rejects with what `fetching` rejects with. */
export async function openSheet(fetching: () => Promise<File>): Promise<void> {
  const tab = window.open('', '_blank')
  if (tab) {
    tab.document.title = 'Preparing…'
    tab.document.body.textContent = 'Preparing the sheet…'
    tab.document.body.style.font = '15px system-ui'
  }
  try {
    const sheet = await fetching()
    if (!tab || tab.closed) return save(sheet)
    const address = URL.createObjectURL(sheet)
    tab.location.replace(address)
    // The tab keeps what it has loaded; a slow one needs a while.
    setTimeout(() => URL.revokeObjectURL(address), 120_000)
  } catch (error) {
    tab?.close()
    throw error
  }
}
