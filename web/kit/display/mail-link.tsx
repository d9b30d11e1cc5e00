// Mail link: an address to write to; where it does not fit in a line, it goes on before the @.
export function MailLink({ address }: { address: string }) {
  const at = Math.max(0, address.lastIndexOf('@'))
  return (
    <a href={`mailto:${address}`}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </a>
  )
}
