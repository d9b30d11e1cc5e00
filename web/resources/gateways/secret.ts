// Secret: the RADIUS secrets that were made in this tab and have not been left yet. The server tells each one once, and
// nothing keeps it beyond the page.
const made = new Map<number, string>()

export const keepSecret = (gateway_id: number, secret: string) => void made.set(gateway_id, secret)
export const secretOf = (gateway_id: number): string | undefined => made.get(gateway_id)
export const forgetSecret = (gateway_id: number) => void made.delete(gateway_id)
