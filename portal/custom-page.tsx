// Custom page: a page of the customer's own with its placeholders filled in, and the facts that its scripts may read. Both
// come from what the page for guests is drawn of, so that a custom portal says and asks what any other does.
import { renderToStaticMarkup } from 'react-dom/server'
import type { Placeholder } from '#contract/custom-portals.ts'
import type { PortalPageProps } from './design.ts'
import { Card } from './portal-page.tsx'
import { textsOf } from './languages.ts'
import { waysOf } from './steps/ways.tsx'
import { webAddress } from './web-address.ts'

/** Markup of ours; every other placeholder is text. */
const markup: Placeholder = 'form'

/**
 * Letters, digits and spaces stay; every other sign becomes its number. So a value is only ever a value: in a text, in an
 * attribute with or without quotation marks, and where a browser knows no numbers, as in a script, still nothing but text.
 */
const escaped = (text: string) => text.replace(/[^\p{L}\p{M}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0) ?? 0xfffd};`)

/** What stands for each placeholder. */
export function valuesOf(props: PortalPageProps): Record<Placeholder, string> {
  const { design, step, language, action, property_name } = props
  const company = design.company_name ?? ''
  return {
    company,
    property: property_name ?? company,
    network: step.name === 'away' ? (step.network_name ?? '') : '',
    headline: design.headline,
    language,
    form: formOf(props),
    action,
    error:
      (step.name === 'sign-in' || step.name === 'code') && step.refused ? textsOf[language].refused[step.refused] : '',
    notice: noticeOf(props),
    terms: design.terms ?? '',
    terms_version: String(design.terms_version),
    privacy_url: webAddress(design.privacy_url) ?? '',
    marketing_text: design.marketing_text ?? '',
    footer: design.portal_footer ?? '',
  }
}

function noticeOf({ step, language }: PortalPageProps): string {
  if (step.name !== 'away') return ''
  const { away, away_network } = textsOf[language]
  return step.network_name === null ? away : away_network(step.network_name)
}

/** A page in a sandbox opens no other window: what would be read there is read here. */
const formOf = (props: PortalPageProps) =>
  renderToStaticMarkup(<Card {...props} />)
    .replaceAll(' target="_blank" rel="noopener noreferrer"', '')
    .replaceAll(/<span class="unseen"> \([^<]*\)<\/span>/g, '')

/** What a script of the page reads as `Foyer.context`. */
function contextOf(props: PortalPageProps) {
  const { form: _, terms_version, ...values } = valuesOf(props)
  const { design, step, language, hidden = {} } = props
  return {
    ...values,
    terms_version: Number(terms_version),
    /** Nobody comes through a network: the page is only looked at. */
    preview: step.name === 'away',
    methods: waysOf(design.auth_method_ids).map(([id, { name, fields }]) => ({
      id,
      name: textsOf[language].ways[name],
      fields: fields.map((field) => ({ name: field, label: textsOf[language].fields[field] })),
    })),
    hidden,
  }
}

/** As JSON that ends no element, whatever is in it. */
const contextBlock = (props: PortalPageProps) =>
  `<script type="application/json" id="foyer-context">${JSON.stringify(contextOf(props)).replaceAll('<', '\\u003c')}</script>`

const placeholder = /\{\{\s*([a-z_]+)\s*\}\}/g
/** The element that fetches Foyer's own script; its facts stand before it. */
const runtime = /<script\b[^<>]*\bfoyer\/v1\.js\b/i

export function customPage(page: string, props: PortalPageProps): string {
  const values = valuesOf(props)
  const isKnown = (name: string): name is Placeholder => Object.hasOwn(values, name)
  return page
    .replace(placeholder, (all, name: string) =>
      isKnown(name) ? (name === markup ? values[name] : escaped(values[name])) : all,
    )
    .replace(runtime, (element) => contextBlock(props) + element)
}
