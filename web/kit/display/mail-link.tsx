// Mail link: a mailto link; if the address does not fit on one line, it breaks before the @.
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
