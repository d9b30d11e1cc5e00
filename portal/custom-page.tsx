// Custom page: a customer's own page with its placeholders filled in, and the values that its scripts may read. Both come from the
// props of the guests' page, so that a custom portal says and asks the same as any other.
import { renderToStaticMarkup } from 'react-dom/server'
import type { Placeholder, StepPage } from '#contract/custom-pages.ts'
import type { PortalPageProps, Step } from './design.ts'
import { exampleSteps } from './example-steps.ts'
import { textsOf, type Language } from './languages.ts'
import { left } from './remaining.ts'
import { Card, headlineIn } from './portal-page.tsx'
import { waysOf } from './steps/ways.tsx'
import { webAddress } from './web-address.ts'

/** Filled with our markup; every other placeholder with text. */
const markup: Placeholder = 'form'

/**
 * Keeps letters, digits and spaces; every other character becomes a numeric reference. So a value is safe in text and in attributes with
 * or without quotes; where references are not decoded, as in scripts, it is still only text.
 */
const escaped = (text: string) => text.replace(/[^\p{L}\p{M}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0) ?? 0xfffd};`)

/** The pages of a zip that serve a step, the best one first. Steps without any use Foyer's own page. */
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
    case 'consent':
    case 'connecting':
    case 'hand-over':
      return []
  }
}

/** The example that a page for a step shows if it is opened by its name, without being at a step. */
export const exampleOf: Partial<Record<StepPage, Step>> = {
  'error.html': exampleSteps.refused,
  'code.html': exampleSteps.sms_code,
  'success.html': exampleSteps.online,
  'status.html': exampleSteps.status,
  'signed-out.html': exampleSteps.signed_out,
}

/** The value of each placeholder. */
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
  const text = (value: number | null | undefined, format: (value: number, language: Language) => string) =>
    value === undefined ? '' : value === null ? no_limit : format(value, language)
  return { time_left: text(seconds_left, left.time), data_left: text(bytes_left, left.data) }
}

function noticeOf({ step, language }: PortalPageProps): string {
  if (step.name !== 'away') return ''
  const { away, away_network } = textsOf[language]
  return step.network_name === null ? away : away_network(step.network_name)
}

/** A preview is not opened through a gateway, so it has no action. */
const isPreview = ({ action }: PortalPageProps) => action === ''

/** Links open in the same window, as a sandboxed page cannot open another. */
const formOf = (props: PortalPageProps) =>
  renderToStaticMarkup(
    isPreview(props) && props.step.name !== 'away' ? (
      <fieldset disabled style={{ display: 'contents' }}>
        <Card {...props} />
      </fieldset>
    ) : (
      <Card {...props} />
    ),
  )
    .replaceAll(' target="_blank" rel="noopener noreferrer"', '')
    .replaceAll(/<span class="unseen"> \([^<]*\)<\/span>/g, '')

/** The values that scripts of the page read as `Foyer.context`. */
function contextOf(props: PortalPageProps) {
  const { form: _, terms_version, ...values } = valuesOf(props)
  const { design, step, language, hidden = {} } = props
  return {
    ...values,
    terms_version: Number(terms_version),
    step: step.name,
    preview: isPreview(props),
    methods: waysOf(design.auth_method_ids).map(([id, { name, fields }]) => ({
      id,
      name: textsOf[language].ways[name],
      fields: fields.map((field) => ({ name: field, label: textsOf[language].fields[field] })),
    })),
    hidden,
  }
}

/** As JSON that cannot end an element or a comment, whatever it contains. */
function contextBlock(props: PortalPageProps) {
  const facts = JSON.stringify(contextOf(props)).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
  return `<script type="application/json" id="foyer-context">${facts}</script>`
}

const placeholder = /\{\{\s*([a-z_]+)\s*\}\}/g
/** The element that loads Foyer's own script, before which the values are inserted, even if it is in a comment. */
const runtime = /<script\b[^<>]*\bfoyer\/v1\.js\b/gi
/** Long terms, repeated ten thousand times, would fill the server's memory. */
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
