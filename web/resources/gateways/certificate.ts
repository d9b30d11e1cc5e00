// Certificate: one that is accepted together with the gateway's secrets, on its way from the set-up to the form that asks for them.
const brought = new Map<number, string>()

export const bringCertificate = (gateway_id: number, fingerprint: string) => void brought.set(gateway_id, fingerprint)
/** Given once. */
export function takeCertificate(gateway_id: number): string | undefined {
  const fingerprint = brought.get(gateway_id)
  brought.delete(gateway_id)
  return fingerprint
}
