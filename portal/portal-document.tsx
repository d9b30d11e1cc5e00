// Portal document: the page for guests as one HTML text, with its styles.
import { renderToStaticMarkup } from 'react-dom/server'
import type { PortalPageProps } from './design.ts'
import { fontAddress, fontOf } from './fonts.ts'
import { directionOf } from './languages.ts'
import { headlineIn, layoutOf, PortalPage } from './portal-page.tsx'
import { baseStyles, darkStyles, designStyles, footerStyles } from './styles.ts'

export interface PortalDocument {
  html: string
  /** What stands in the page's one `<style>`, for the hash in its Content-Security-Policy. */
  styles: string
  /** The same of its one `<script>`; null where it has none. */
  script: string | null
}

/**
 * The whole page. The server sends `html`; a preview puts it into a sandboxed frame:
 *
 *     <iframe sandbox="" srcDoc={portalDocument({ design, step: { name: 'sign-in' }, language: 'en', action: '' }).html} />
 *
 * Everything in it that somebody typed is text. It holds no script but
 * where it hands over to a gateway, and without `addressIn` no link of ours; `sandbox=""`
 * keeps the form from being sent. Fonts are asked for at `/fonts/…`, which the admin app's origin serves too, since a
 * frame's document resolves addresses as the page around it. A picture that was just chosen is handed in as a `data:`
 * address: a sandboxed frame cannot read the `blob:` addresses of the page around it.
 */
export function portalDocument(props: PortalPageProps): PortalDocument {
  const { design, language } = props
  const styles = stylesOf(props)
  const script = props.step.name === 'hand-over' ? send_on : null
  const font = fontOf(design.portal_font_id)
  const title = [headlineIn(design, language), design.company_name].filter(Boolean).join(' · ')
  const page = renderToStaticMarkup(
    <html lang={language} dir={directionOf(language)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={props.scheme ?? 'light dark'} />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        {font.faces
          .filter(({ subset }) => subset === 'latin')
          .map((face) => (
            <link
              key={face.weight}
              rel="preload"
              as="font"
              type="font/woff2"
              crossOrigin="anonymous"
              href={fontAddress(font, face)}
            />
          ))}
        {/* oxlint-disable-next-line react/no-danger -- our own styles; of what is typed only whole colours get into them */}
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <PortalPage {...props} />
        {/* oxlint-disable-next-line react/no-danger -- a constant of ours */}
        {script !== null && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>,
  )
  return { html: `<!doctype html>${page}`, styles, script }
}

/** Spares guests a press where scripts run. */
const send_on = "document.getElementById('hand-over').submit()"

const stylesOf = ({ design, footer, scheme }: PortalPageProps) =>
  [
    designStyles(design),
    baseStyles,
    layoutOf(design.portal_layout_id).styles,
    footer ? footerStyles : '',
    darkStyles(design, scheme),
  ].join('\n')
