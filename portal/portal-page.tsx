// Portal page: what guests see before, while and after they sign in. It is a pure function of its props, so that the served page and
// the preview in the admin app are the same.
import { messages } from '#contract/messages.ts'
import { portalLayouts } from '#contract/portals.ts'
import type { PortalDesign, PortalPageProps } from './design.ts'
import { PortalFooter } from './footer.tsx'
import { languageCodes, languages, textsOf, type Language } from './languages.ts'
import { horizontal } from './layouts/horizontal.tsx'
import type { Layout } from './layouts/layout.ts'
import { vertical } from './layouts/vertical.tsx'
import { withImage } from './layouts/with-image.tsx'
import { Icon } from './icons.tsx'
import { Code, Confirm } from './steps/code.tsx'
import { Consent } from './steps/consent.tsx'
import { Connected, Connecting, HandOver, SignedOut, Unregistered } from './steps/connected.tsx'
import { SignIn } from './steps/sign-in.tsx'

const layouts: Record<number, Layout> = {
  [portalLayouts.horizontal]: horizontal,
  [portalLayouts.vertical]: vertical,
  [portalLayouts.withImage]: withImage,
}
/** The first layout for an unknown id. */
export const layoutOf = (id: number): Layout => layouts[id] ?? horizontal

/** The operator's headline in this language; the default one is translated into all languages. */
export const headlineIn = ({ headline, headlines }: PortalDesign, language: Language): string =>
  headlines[language] ?? (headline === messages.portal.headline ? textsOf[language].headline : headline)

export function PortalPage(props: PortalPageProps) {
  const { design, language, property_name } = props
  const { Page } = layoutOf(design.portal_layout_id)
  return (
    <Page
      brand={<Brand {...props} />}
      languages={<Languages {...props} />}
      welcome={
        <>
          {property_name && property_name !== design.company_name && <p className="property">{property_name}</p>}
          <h1>{headlineIn(design, language)}</h1>
        </>
      }
      card={<Card {...props} hides_fields />}
      picture={<Picture design={design} />}
      footer={<Below {...props} />}
    />
  )
}

function Brand({ design: { logo, logo_preview_url, company_name }, property_name }: PortalPageProps) {
  const name = company_name ?? property_name ?? ''
  if (!logo_preview_url) return name === '' ? null : <p className="brand">{name}</p>
  return (
    <p className="brand">
      <img src={logo_preview_url} alt={name} width={logo?.width} height={logo?.height} />
    </p>
  )
}

/** A menu that works without scripts. */
function Languages({ language, addressIn }: PortalPageProps) {
  if (!addressIn) return null
  return (
    <details className="languages">
      <summary>
        <Icon of="globe" />
        <span className="unseen">{textsOf[language].language}: </span>
        {languages[language]}
      </summary>
      <ul>
        {languageCodes.map((code) => (
          <li key={code}>
            <a href={addressIn(code)} lang={code} hrefLang={code} aria-current={code === language ? 'true' : undefined}>
              {languages[code]}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface CardProps extends PortalPageProps {
  /** The page's style sheet shows the fields of the chosen way alone, in browsers that can. */
  hides_fields?: boolean
}

/** The form or outcome of a step. Custom pages use it without the page around it. */
export function Card({ design, step, language, action, hidden, addressIn, hides_fields = false }: CardProps) {
  const refresh = addressIn?.(language)
  const texts = textsOf[language]
  switch (step.name) {
    case 'sign-in':
    case 'away':
      return <SignIn {...{ design, step, action, hidden, texts, hides_fields }} />
    case 'code':
      return <Code {...{ design, step, action, hidden, language, texts }} />
    case 'confirm':
      return <Confirm {...{ step, action, texts }} />
    case 'online':
    case 'status':
      return <Connected {...{ design, step, action, hidden, refresh, language, texts }} />
    case 'consent':
      return <Consent {...{ step, action, refresh, texts }} />
    case 'connecting':
      return <Connecting {...{ step, refresh, texts }} />
    case 'unregistered':
      return <Unregistered texts={texts} />
    case 'hand-over':
      return <HandOver {...{ action, hidden, texts }} />
    case 'signed-out':
      return <SignedOut {...{ step, action, refresh, texts }} />
  }
}

/** Without a picture, a sign on the colour of the buttons is shown. */
const Picture = ({ design: { side_image_preview_url, portal_image } }: Pick<PortalPageProps, 'design'>) =>
  side_image_preview_url ? (
    <img src={side_image_preview_url} alt="" width={portal_image?.width} height={portal_image?.height} />
  ) : (
    <Icon of="wifi" />
  )

function Below({ design: { portal_footer }, footer }: PortalPageProps) {
  if (!portal_footer && !footer) return null
  return (
    <footer className="below">
      {portal_footer && <p>{portal_footer}</p>}
      {footer && <PortalFooter {...footer} />}
    </footer>
  )
}
