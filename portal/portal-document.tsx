// Portal document: the guests' page as one HTML document, with its styles.
import { renderToStaticMarkup } from 'react-dom/server'
import type { PortalPageProps } from './design.ts'
import { fontAddress, fontOf } from './fonts.ts'
import { directionOf } from './languages.ts'
import { headlineIn, layoutOf, PortalPage } from './portal-page.tsx'
import { baseStyles, darkStyles, designStyles, footerStyles } from './styles.ts'

export interface PortalDocument {
  html: string
  /** The content of the page's only `<style>`, for the hash in its Content-Security-Policy. */
  styles: string
  /** The same for its only `<script>`; null if it has none. */
  script: string | null
}

/**
 * The whole page. The server sends `html`; a preview puts it into a sandboxed frame:
 *
 *     <iframe sandbox="" srcDoc={portalDocument({ design, step: { name: 'sign-in' }, language: 'en', action: '' }).html} />
 *
 * Everything in it that somebody typed is text. It has no script except when it hands over to a gateway, and without `addressIn` no
 * links of ours; `sandbox=""` keeps the form from being submitted. Fonts are requested at `/fonts/…`, which the admin app's origin serves,
 * too, as a `srcDoc` frame resolves addresses like the page around it. Pass a picture that was just chosen as a `data:` URL: a
 * sandboxed frame cannot read the `blob:` URLs of the page around it.
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
        {props.step.name === 'connecting' && (
          <meta
            httpEquiv="refresh"
            content={String(props.step.is_delayed ? asks_again_s.delayed : asks_again_s.usual)}
          />
        )}
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
        {/* oxlint-disable-next-line react/no-danger -- our own styles; of typed values only complete colours get into them */}
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

/** How often a page that waits is asked for again. */
const asks_again_s = { usual: 3, delayed: 10 }

/** Submits the form automatically if scripts are enabled. */
const send_on = "document.getElementById('hand-over').submit()"

const stylesOf = ({ design, footer, scheme }: PortalPageProps) =>
  [
    designStyles(design),
    baseStyles,
    layoutOf(design.portal_layout_id).styles,
    footer ? footerStyles : '',
    darkStyles(design, scheme),
  ].join('\n')
