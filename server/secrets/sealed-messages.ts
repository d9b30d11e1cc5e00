// Sealed messages: how the text of a mail or text message stands in the database while it waits. It may hold a password, a code or a link
// that signs somebody in, so it is sealed. Nodes of the release before send what stands there: while one may be at work, it is not.
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'

/** Columns of `outbox_mails` and `outbox_texts`. */
export interface StoredText {
  text: string
  sealed_text: Buffer | null
}

/** Of one customer. A text is bound to its recipient, the address or number: in the row of another it does not open. */
export interface SealedMessages {
  close(table: Outbox, recipient: string, text: string): StoredText
  open(table: Outbox, recipient: string, stored: StoredText): string
}
type Outbox = 'outbox_mails' | 'outbox_texts'
export type MessagesOfCustomer = (customer_id: number) => SealedMessages

export const openSealedMessages =
  (seal: Seal, arePlain: () => boolean): MessagesOfCustomer =>
  (customer_id) => {
    const placeOf = (table: Outbox, recipient: string) => placeIn(`${table}.sealed_text`, { customer_id }, recipient)
    return {
      close: (table, recipient, text) =>
        arePlain()
          ? { text, sealed_text: null }
          : { text: '(sealed)', sealed_text: seal.close(text, placeOf(table, recipient)) },
      open: (table, recipient, { text, sealed_text }) =>
        sealed_text === null ? text : seal.open(sealed_text, placeOf(table, recipient)),
    }
  }
