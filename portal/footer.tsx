// Portal footer: the operator's picture below the guests' page, and its link. The preview uses it, too.

export interface FooterProps {
  image_url: string
  /** Width of the picture, so that its space is reserved while it loads. */
  width: number
  height: number
  /** Null: the picture is not a link. */
  url: string | null
}

/** `https://wifi.example.com/offers` → `wifi.example.com`, for the picture's text alternative. */
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
