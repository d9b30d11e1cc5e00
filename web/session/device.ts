// Device: a random mark stored in this browser, by which the server recognises it at sign-in. After the first sign-in it carries the
// server's signature: attempts from here are then not delayed by those of others for the same address.
const key = 'foyer-device'

/** Undefined if the browser stores nothing. It grants no access: a sign-in without it is reported to the login's owner by mail. */
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

/** Stores the mark as signed by the server; null if none was sent. */
export function keepDeviceMark(signed: string | null) {
  try {
    if (signed !== null) localStorage.setItem(key, signed)
  } catch {
    // The unsigned mark works, too.
  }
}
