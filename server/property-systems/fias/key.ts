// Key of a FIAS interface (IfcAuthKey): what newer sites ask for. It seals the moment at which the other side began the link.
import { createCipheriv, randomBytes } from 'node:crypto'

const key_bytes = 16

export const isKey = (text: string) =>
  /^[A-Za-z0-9+/]{22}==$/.test(text) && Buffer.from(text, 'base64').length === key_bytes

/** @param began day and time of the other side's LS, as `170831102201` */
export function sealedMoment(key: string, began: string, iv = randomBytes(16)): string {
  const cipher = createCipheriv('aes-128-cbc', Buffer.from(key, 'base64'), iv)
  const sealed = Buffer.concat([cipher.update(began, 'latin1'), cipher.final()])
  return `FidCryptAB;${iv.toString('base64')}${sealed.toString('base64')}`
}
