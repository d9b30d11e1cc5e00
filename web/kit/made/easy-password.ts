// Easy password: a generated password that is easy to type, since it is read out or written down at a desk.

/** Lower-case letters and digits without look-alikes. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const length = 8

/** `k7mp-4xqe`: about 39 bits, uniformly distributed. */
export function easyPassword(): string {
  const symbols: string[] = []
  // Bytes above the last whole multiple of the alphabet's length would favour its first letters.
  const unbiased_max = 256 - (256 % alphabet.length)
  while (symbols.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(16)))
      if (byte < unbiased_max && symbols.length < length) symbols.push(alphabet[byte % alphabet.length] ?? '')
  return `${symbols.slice(0, 4).join('')}-${symbols.slice(4).join('')}`
}
