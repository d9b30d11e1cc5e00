// Codes: printing the codes of a batch, on the paper that this desk uses, and downloading them as a file.
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
/** A desk usually has one printer, so the last paper is remembered in this browser. */
export const usualPaper = (): Paper => {
  const name = localStorage.getItem(key)
  return isPaper(name) ? name : 'a4'
}
export const keepPaper = (paper: Paper) => localStorage.setItem(key, paper)

export const downloadCodes = async (id: number, format: Format) =>
  save(await fetchFile(exportCodes, { id, format, paper: usualPaper() }, `vouchers.${format}`))

/** Must be called directly by the click, as it opens a tab. */
export function printCodes(id: number, paper: Paper): Promise<void> {
  keepPaper(paper)
  return openSheet(() => fetchFile(exportCodes, { id, format: 'pdf', paper }, 'vouchers.pdf'))
}

/** Printing and downloading the codes of a batch; `busy` while a file is loading. */
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
