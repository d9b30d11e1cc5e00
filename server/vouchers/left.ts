// Left: the codes that can still be given out, and the batches that have some.
import { sql } from 'kysely'

/** Of the code `v`. */
export const isUnused = sql<boolean>`v.redeemed_at is null and v.taken_back_at is null`

/** Of the batch `t`. */
export const hasCodesLeft = sql<boolean>`
  (t.active and t.redeemed < t.quantity and (t.expires_at is null or t.expires_at > app_now()) and exists (
    select from vouchers as v where v.customer_id = t.customer_id and v.voucher_batch_id = t.id and ${isUnused}))`
