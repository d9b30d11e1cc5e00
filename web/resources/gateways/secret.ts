// Secret: the RADIUS secrets made in this tab, until the user leaves their page. The server returns each one only once, and it is
// not stored anywhere else.
const made = new Map<number, string>()

export const keepSecret = (gateway_id: number, secret: string) => void made.set(gateway_id, secret)
export const secretOf = (gateway_id: number): string | undefined => made.get(gateway_id)
export const forgetSecret = (gateway_id: number) => void made.delete(gateway_id)
