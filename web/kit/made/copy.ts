// Copy: copies a text to the clipboard.

/** `navigator.clipboard` exists on secure origins only; elsewhere, such as in a local network, it falls back to `execCommand`. */
export async function copy(text: string) {
  // The type wrongly says that it always exists.
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard) return clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Inside the dialog that has the focus, if there is one: its focus trap would take the focus back.
  const around = document.activeElement?.closest('[role="dialog"]') ?? document.body
  const before = document.activeElement
  around.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated
  const copied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!copied) throw new Error('the browser does not copy')
}
