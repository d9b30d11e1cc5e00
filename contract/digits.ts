// Digits: what keyboards of other scripts type for 0 to 9.

/** Converts the digits of any script. */
export const asciiDigits = (text: string) => text.normalize('NFKC').replace(/\p{Nd}/gu, digitOf)

/** Each script has its ten digits in sequence, so its zero is found by counting down. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  if (code < 128) return digit
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--
  return String(code - zero)
}
