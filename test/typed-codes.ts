// Typed codes: how people, phones and scanners enter a voucher's code that is printed on a slip as `ABCD-EFGH-JKMN`.
import { shown } from '#contract/vouchers.ts'

const wide = (text: string) =>
  text.replace(/[!-~]/g, (symbol) => String.fromCodePoint((symbol.codePointAt(0) ?? 0) + 0xfee0))

/** As an Arabic keyboard types its digits. */
export const inArabic = (text: string) => text.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))

export function waysToType(code: string): string[] {
  const slip = shown(code)
  return [
    code,
    slip,
    code.toLowerCase(),
    ` ${slip.toLowerCase()} `,
    slip.replaceAll('-', ' '),
    slip.replaceAll('-', '.'),
    slip.replaceAll('-', '–'),
    slip.replaceAll('-', ' — '),
    wide(slip),
    wide(slip).replaceAll('－', 'ー'),
    inArabic(slip),
    inArabic(code).toLowerCase(),
    `\u200e${slip.replace('-', '\u00ad')}\ufeff`,
  ]
}
