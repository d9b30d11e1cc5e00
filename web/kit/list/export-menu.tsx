// Export menu: downloads the list as a file, with its search, filters and order, and with every row that matches.
import { useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { fetchFile, save } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { MoreMenu } from '#web/ui/more-menu.tsx'

interface ExportMenuProps {
  endpoint: Endpoint
  /** The list's search, parents, filters and order. */
  question: object
  /** In the plural: "groups". */
  noun: string
}

export function ExportMenu({ endpoint, question, noun }: ExportMenuProps) {
  const [busy, setBusy] = useState(false)
  const take = async (format: 'csv' | 'xlsx' | 'xls') => {
    setBusy(true)
    try {
      const file = await fetchFile(endpoint, { ...question, format }, `${noun}.${format}`)
      save(file)
      notify.success(`${file.name} has been saved`)
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <MoreMenu
        framed
        icon="download"
        label={`Export ${noun}`}
        busy={busy}
        items={[
          { label: 'Download CSV', icon: 'download', onPick: () => void take('csv') },
          { label: 'Download Excel', icon: 'file', onPick: () => void take('xlsx') },
          { label: 'Download Excel 97–2003', icon: 'file', onPick: () => void take('xls') },
        ]}
      />
      <span role="status" className="unseen">
        {busy && 'Preparing the file…'}
      </span>
    </>
  )
}
