// Mail link: a mailto link; if the address does not fit on one line, it breaks before the @. And whom to call or write to.
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

const phone = /(\+?\d[\d ()./-]{4,}\d)/

/** Whom to turn to, as somebody wrote it: an address to write to, or a name with numbers to call. */
export function Contact({ written }: { written: string }) {
  if (/^\S+@\S+$/.test(written))
    return (
      <>
        Write to <MailLink address={written} />.
      </>
    )
  // Every other piece is a number.
  return (
    <>
      Call{' '}
      {written.split(phone).map((piece, index) =>
        index % 2 === 0 ? (
          piece
        ) : (
          <a key={piece} href={`tel:${piece.replaceAll(/[^+\d]/g, '')}`}>
            {piece}
          </a>
        ),
      )}
      .
    </>
  )
}
