// Voucher codes: how a code stands in the database: found by its fingerprint, printed from its sealed text. Only the last four
// characters stand as they are. While nodes of the release before may be at work, vouchers have their codes as they are printed, too.
import type { Fingerprint, Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'

/** As it is read with its voucher: sealed, or of a node that did not seal it. */
export interface StoredCode {
  code: string | null
  fingerprint: Buffer | null
  sealed_code: Buffer | null
}

/** Of one customer. All codes are normalised. */
export interface VoucherCodes {
  /** By which it is found. */
  fingerprintOf(code: string): Buffer
  seal(code: string): { fingerprint: Buffer; sealed_code: Buffer; last_four: string }
  open(stored: StoredCode): string
  /** Codes, and the names of those who sign in by them, are also written as they are printed. */
  readonly arePlain: boolean
}
export type CodesOfCustomer = (customer_id: number) => VoucherCodes

export const openVoucherCodes =
  (seal: Seal, fingerprint: Fingerprint, arePlain: () => boolean): CodesOfCustomer =>
  (customer_id) => {
    const fingerprintOf = (code: string) => fingerprint(`voucher code ${code}`)
    // Bound to the fingerprint, for a voucher has no id before it is written.
    const placeOf = (mark: Buffer) => placeIn('voucher_codes.sealed_code', { customer_id }, mark.toString('hex'))
    return {
      fingerprintOf,
      seal(code) {
        const mark = fingerprintOf(code)
        return { fingerprint: mark, sealed_code: seal.close(code, placeOf(mark)), last_four: code.slice(-4) }
      },
      open({ code, fingerprint: mark, sealed_code }) {
        if (mark !== null && sealed_code !== null) return seal.open(sealed_code, placeOf(mark))
        if (code === null) throw new Error('a voucher has no code')
        return code
      },
      get arePlain() {
        return arePlain()
      },
    }
  }
