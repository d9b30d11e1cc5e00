// Messages that wait, as a test has them that looks into the database.
import { openSealedMessages, type StoredText } from '#server/secrets/sealed-messages.ts'
import { openSeal } from '#server/secrets/seal.ts'
import { secretKey } from '#test/database.ts'

export interface Waiting extends StoredText {
  customer_id: number
  recipient: string
}
/** What a statement selects of a message, for `opened`. */
export const waiting = {
  outbox_mails: 'customer_id, recipient_email as recipient, text, sealed_text',
  outbox_texts: 'customer_id, mobile_number as recipient, text, sealed_text',
}

/** The rows with their texts as they will leave. */
export function opened<R extends Waiting>(table: keyof typeof waiting, rows: readonly R[], key = secretKey) {
  const messages = openSealedMessages(
    openSeal(() => [key]),
    () => false,
  )
  return rows.map(({ customer_id, recipient, sealed_text, ...row }) => ({
    ...row,
    text: messages(customer_id).open(table, recipient, { text: row.text, sealed_text }),
  }))
}
