// Plain dialog: the browser's own, without the component library, for reporting that a dialog could not be rendered.
import { useEffect, useRef, type ReactNode } from 'react'
import styles from './dialog.module.css'

export interface PlainDialogProps {
  title: string
  onClose: () => void
  children: ReactNode
}

export function PlainDialog({ title, onClose, children }: PlainDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.plain}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </dialog>
  )
}
