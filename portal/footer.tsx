// Portal footer: the operator's picture below a page for guests, and the link behind it. The preview draws the same.

export interface FooterProps {
  image_url: string
  /** Of the picture, so that its place is kept free while it loads. */
  width: number
  height: number
  /** Without one the picture is only shown. */
  url: string | null
}

/** `https://wifi.example.com/offers` is known as `wifi.example.com`: the picture's name for those who cannot see it. */
export const hostOf = (url: string): string => /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url

export function PortalFooter({ image_url, width, height, url }: FooterProps) {
  const picture = (
    <img
      className="portal-footer-picture"
      src={image_url}
      alt={url === null ? '' : hostOf(url)}
      {...(width > 0 && height > 0 ? { width, height } : {})}
    />
  )
  return (
    <div className="portal-footer">
      {url === null ? (
        picture
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {picture}
        </a>
      )}
    </div>
  )
}
