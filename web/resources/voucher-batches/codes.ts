// Codes: how they leave Foyer: as a sheet to print, on the paper that this desk prints on, or as a file.
import { useState } from 'react'
import { exportCodes, papers, type formats } from '#contract/voucher-batches.ts'
import { fetchFile, save } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { openSheet } from '#web/kit/made/print.ts'

export type Paper = (typeof papers)[number]
export type Format = (typeof formats)[number]

const key = 'foyer-paper'
export const paperNames: Record<Paper, string> = { a4: 'A4 sheet', roll: '80 mm roll' }

const isPaper = (name: string | null): name is Paper => papers.some((paper) => paper === name)
/** A desk has one printer: what was printed on last is printed on next. */
export const usualPaper = (): Paper => {
  const name = localStorage.getItem(key)
  return isPaper(name) ? name : 'a4'
}
export const keepPaper = (paper: Paper) => localStorage.setItem(key, paper)

export const downloadCodes = async (id: number, format: Format) =>
  save(await fetchFile(exportCodes, { id, format, paper: usualPaper() }, `vouchers.${format}`))

/** To be called by the press itself: it opens a tab. */
export function printCodes(id: number, paper: Paper): Promise<void> {
  keepPaper(paper)
  return openSheet(() => fetchFile(exportCodes, { id, format: 'pdf', paper }, 'vouchers.pdf'))
}

/** What to do with a batch's codes; `busy` while a file is on its way. */
export function useCodes(id: number) {
  const [busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    await work().catch(notify.failure)
    setBusy(false)
  }
  return {
    busy,
    print: (paper: Paper) => void attempt(() => printCodes(id, paper)),
    download: (format: Format) => void attempt(() => downloadCodes(id, format)),
  }
}
