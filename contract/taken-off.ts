// Taken off: what stands in the place of an address whose holder has taken it off. No address ends like this (RFC 2606), and nothing is
// sent to it.
export const isTakenOff = (address: string): boolean => address.endsWith('@taken-off.invalid')
