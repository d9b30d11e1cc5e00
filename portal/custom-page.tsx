// Custom page: a page of the customer's own with its placeholders filled in, and the facts that its scripts may read. Both
// come from what the page for guests is drawn of, so that a custom portal says and asks what any other does.
import { renderToStaticMarkup } from 'react-dom/server'
import type { Placeholder, StepPage } from '#contract/custom-pages.ts'
import type { PortalPageProps, Step } from './design.ts'
import { exampleSteps } from './example-steps.ts'
import { textsOf, type Language } from './languages.ts'
import { left } from './left.ts'
import { Card, headlineIn } from './portal-page.tsx'
import { waysOf } from './steps/ways.tsx'
import { webAddress } from './web-address.ts'

/** Markup of ours; every other placeholder is text. */
const markup: Placeholder = 'form'

/**
 * Letters, digits and spaces stay; every other sign becomes its number. So a value is only ever a value: in a text, in an
 * attribute with or without quotation marks, and where a browser knows no numbers, as in a script, still nothing but text.
 */
const escaped = (text: string) => text.replace(/[^\p{L}\p{M}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0) ?? 0xfffd};`)

/** The pages of a zip that are made for a step, the best one first. For a step without any, there is a page of ours. */
export function pagesFor(step: Step): StepPage[] {
  switch (step.name) {
    case 'sign-in':
      return step.refused ? ['error.html', 'index.html'] : ['index.html']
    case 'away':
      return ['index.html']
    case 'unregistered':
      return ['error.html']
    case 'code':
      return ['code.html']
    case 'online':
      return ['success.html']
    case 'status':
      return ['status.html']
    case 'signed-out':
      return ['signed-out.html']
    case 'confirm':
    case 'hand-over':
      return []
  }
}

/** What a page made for one step shows to whoever opens it by its name, and is at no step. */
export const exampleOf: Partial<Record<StepPage, Step>> = {
  'error.html': exampleSteps.refused,
  'code.html': exampleSteps.sms_code,
  'success.html': exampleSteps.online,
  'status.html': exampleSteps.status,
  'signed-out.html': exampleSteps.signed_out,
}

/** What stands for each placeholder. */
export function valuesOf(props: PortalPageProps): Record<Placeholder, string> {
  const { design, step, language, action, property_name, query } = props
  const company = design.company_name ?? ''
  return {
    company,
    property: property_name ?? company,
    network: step.name === 'away' ? (step.network_name ?? '') : '',
    headline: headlineIn(design, language),
    language,
    form: formOf(props),
    action,
    error: errorOf(props),
    notice: noticeOf(props),
    terms: design.terms ?? '',
    terms_version: String(design.terms_version),
    privacy_url: webAddress(design.privacy_url) ?? '',
    marketing_text: design.marketing_text ?? '',
    footer: design.portal_footer ?? '',
    ...leftOf(props),
    redirect_url: webAddress(design.redirect_url) ?? '',
    query: query ?? '',
  }
}

function errorOf({ step, language }: PortalPageProps): string {
  const texts = textsOf[language]
  switch (step.name) {
    case 'sign-in':
    case 'code':
      return step.refused ? texts.refused[step.refused] : ''
    case 'signed-out':
      return step.reason ? texts.refused[step.reason] : ''
    case 'unregistered':
      return texts.unregistered
    default:
      return ''
  }
}

function leftOf({ step, language }: PortalPageProps): Record<'time_left' | 'data_left', string> {
  const { seconds_left, bytes_left } = step.name === 'online' || step.name === 'status' ? step : {}
  const { no_limit } = textsOf[language]
  const said = (value: number | null | undefined, say: (value: number, language: Language) => string) =>
    value === undefined ? '' : value === null ? no_limit : say(value, language)
  return { time_left: said(seconds_left, left.time), data_left: said(bytes_left, left.data) }
}

function noticeOf({ step, language }: PortalPageProps): string {
  if (step.name !== 'away') return ''
  const { away, away_network } = textsOf[language]
  return step.network_name === null ? away : away_network(step.network_name)
}

/** Nobody comes through a network: the page is only looked at. */
const isOnlySeen = ({ action }: PortalPageProps) => action === ''

/** A page in a sandbox opens no other window: what would be read there is read here. */
const formOf = (props: PortalPageProps) =>
  renderToStaticMarkup(
    isOnlySeen(props) && props.step.name !== 'away' ? (
      <fieldset disabled style={{ display: 'contents' }}>
        <Card {...props} />
      </fieldset>
    ) : (
      <Card {...props} />
    ),
  )
    .replaceAll(' target="_blank" rel="noopener noreferrer"', '')
    .replaceAll(/<span class="unseen"> \([^<]*\)<\/span>/g, '')

/** What a script of the page reads as `Foyer.context`. */
function contextOf(props: PortalPageProps) {
  const { form: _, terms_version, ...values } = valuesOf(props)
  const { design, step, language, hidden = {} } = props
  return {
    ...values,
    terms_version: Number(terms_version),
    step: step.name,
    preview: isOnlySeen(props),
    methods: waysOf(design.auth_method_ids).map(([id, { name, fields }]) => ({
      id,
      name: textsOf[language].ways[name],
      fields: fields.map((field) => ({ name: field, label: textsOf[language].fields[field] })),
    })),
    hidden,
  }
}

/** As JSON that ends neither an element nor a comment, whatever is in it. */
function contextBlock(props: PortalPageProps) {
  const facts = JSON.stringify(contextOf(props)).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
  return `<script type="application/json" id="foyer-context">${facts}</script>`
}

const placeholder = /\{\{\s*([a-z_]+)\s*\}\}/g
/** The element that fetches Foyer's own script; its facts stand before it, and before one that only a comment holds. */
const runtime = /<script\b[^<>]*\bfoyer\/v1\.js\b/gi
/** Long terms, written ten thousand times, would fill the server's memory. */
const filled_length_max = 1_000_000
const runtimes_max = 5

export function customPage(page: string, props: PortalPageProps): string {
  const values = valuesOf(props)
  const isKnown = (name: string): name is Placeholder => Object.hasOwn(values, name)
  const written = new Map<Placeholder, string>()
  let length = 0
  const filled = (name: Placeholder) => {
    const value = written.get(name) ?? (name === markup ? values[name] : escaped(values[name]))
    written.set(name, value)
    length += value.length
    return length > filled_length_max ? '' : value
  }
  const block = contextBlock(props)
  let blocks = 0
  return page
    .replace(placeholder, (all, name: string) => (isKnown(name) ? filled(name) : all))
    .replace(runtime, (element) => (++blocks > runtimes_max ? element : block + element))
}
