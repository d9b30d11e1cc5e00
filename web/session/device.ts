// Device: a random mark that this browser keeps, by which the server tells it from others when somebody signs in. After the first
// sign-in the server's signature stands behind it: tries from here then wait for nobody else's at the same address.
const key = 'foyer-device'

/** Undefined where nothing may be kept. It opens nothing: a sign-in on a device without it is told to its owner by mail. */
export function deviceMark(): string | undefined {
  try {
    const kept = localStorage.getItem(key)
    if (kept) return kept
    const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
    localStorage.setItem(key, made)
    return made
  } catch {
    return undefined
  }
}

/** Keeps the mark as the server has signed it; null where none was sent. */
export function keepDeviceMark(signed: string | null) {
  try {
    if (signed !== null) localStorage.setItem(key, signed)
  } catch {
    // It serves without the signature, too.
  }
}
