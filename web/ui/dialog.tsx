// Dialog and drawer: over the screen, with the focus kept inside, closed by Escape, the close icon or a press on the backdrop.
// The focus goes to the first field, and back to what opened it.
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer as LibraryDrawer, getDefaultZIndex, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useSyncExternalStore, type ReactNode } from 'react'
import { say } from '#web/words/frame.ts'
import { breakpoints } from './breakpoints.ts'
import { floatingAbove, useFirstField, useFocusReturn, useStacked } from './dialog-focus.ts'
import styles from './dialog.module.css'

export interface DialogProps {
  open: boolean
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** CSS width: `480px`, `max-content`. */
  width?: string | number
  /** Buttons; they stay visible while the rest scrolls. */
  footer?: ReactNode
  /** Fills the window of a phone. */
  wholeOnPhones?: boolean
  /** Cannot be closed, while something is in progress. */
  held?: boolean
}

const look = () => ({
  closeButtonProps: { 'aria-label': say('close') },
  // A page may have only one banner landmark.
  attributes: { header: { role: 'none' } },
  overlayProps: { backgroundOpacity: 0.4, blur: 0 },
  classNames: {
    header: styles.header,
    title: styles.title,
    body: styles.body,
    content: styles.content,
    close: styles.close,
  },
})

export function Dialog({
  open,
  title,
  onClose,
  children,
  width = 480,
  footer,
  wholeOnPhones = false,
  held = false,
}: DialogProps) {
  useFocusReturn(open)
  const floats = useSyncExternalStore(floatingAbove.subscribe, floatingAbove.get)
  const { topmost, level } = useStacked(open)
  const phone = useMediaQuery(`(max-width: ${breakpoints.phone}px)`, undefined, { getInitialValueInEffect: false })
  return (
    <Modal
      opened={open}
      onClose={onClose}
      title={title}
      size={width}
      centered
      fullScreen={wholeOnPhones && phone}
      withCloseButton={!held}
      closeOnEscape={!held && !floats && topmost}
      zIndex={getDefaultZIndex('modal') + level}
      returnFocus={false}
      closeOnClickOutside={!held}
      transitionProps={{ transition: 'pop', duration: 120 }}
      {...look()}
    >
      <Content>
        {children}
        {footer && <DialogFooter>{footer}</DialogFooter>}
      </Content>
    </Modal>
  )
}

/** The buttons of a dialog, for what is inside it and alone knows them: a form, a choice. The last part of it. */
export const DialogFooter = ({ children }: { children: ReactNode }) => <div className={styles.footer}>{children}</div>

/** Mounted together with the dialog, so that its fields can be inspected. */
const Content = ({ children }: { children: ReactNode }) => <div ref={useFirstField()}>{children}</div>

export function Drawer({
  open,
  title,
  onClose,
  children,
  width = 370,
  side = 'right',
}: Omit<DialogProps, 'footer' | 'wholeOnPhones' | 'held'> & { side?: 'left' | 'right' }) {
  useFocusReturn(open)
  const floats = useSyncExternalStore(floatingAbove.subscribe, floatingAbove.get)
  const { topmost, level } = useStacked(open)
  return (
    <LibraryDrawer
      opened={open}
      onClose={onClose}
      title={title}
      size={width}
      position={side}
      closeOnEscape={!floats && topmost}
      zIndex={getDefaultZIndex('modal') + level}
      returnFocus={false}
      transitionProps={{ duration: 160 }}
      {...look()}
    >
      <Content>{children}</Content>
    </LibraryDrawer>
  )
}
