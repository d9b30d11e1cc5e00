// Guest pages: pages outside of any portal, as whole HTML documents without scripts.
import { createHash } from 'node:crypto'
import { directionOf, textsOf, type Language } from '#portal/languages.ts'

const styles = `
:root {
  color-scheme: light dark;
  --page: #eef2f7; --card: #fff; --text: #1c2733; --soft: #516072; --line: #dbe2ea; --mark: #1f5fd0; --on: #fff
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10151c; --card: #1a222c; --text: #eef2f6; --soft: #aab6c3; --line: #2d3845; --mark: #7fb0ff; --on: #10151c
  }
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 24px 16px; display: grid; place-items: center;
  background: var(--page); color: var(--text); font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; max-width: 440px; padding: 32px 28px; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 8px 28px rgb(16 24 40 / 8%);
}
svg { display: block; width: 48px; height: 48px; margin: 0 0 16px; color: var(--mark) }
h1 { margin: 0 0 8px; font-size: 26px; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance }
p { margin: 0; color: var(--soft) }
ol { margin: 24px 0; padding: 0; list-style: none; counter-reset: step }
li { position: relative; padding: 0 0 16px 44px; counter-increment: step }
li:last-child { padding-bottom: 0 }
li::before {
  content: counter(step); position: absolute; left: 0; top: 0; width: 28px; height: 28px; border-radius: 50%;
  background: var(--mark); color: var(--on); font-size: 15px; font-weight: 600; line-height: 28px; text-align: center;
}
li strong { display: block }
li span { color: var(--soft); font-size: 16px }
.help { padding-top: 20px; border-top: 1px solid var(--line); font-size: 15px }
a { color: var(--mark) }
form { margin: 24px 0 0 }
button {
  width: 100%; padding: 12px 20px; border: 0; border-radius: 10px; background: var(--mark); color: var(--on); font: inherit;
  font-weight: 600; cursor: pointer
}
button.second { background: none; border: 1px solid var(--line); color: var(--text) }
form + form { margin-top: 12px }
p a { display: inline-block; margin-top: 16px; padding: 8px 0 }
progress { display: block; width: 100%; height: 8px; margin: 24px 0 0; accent-color: var(--mark) }
@media (max-width: 360px) { main { padding: 24px 20px } }
`

export const usual_refresh_s = 5

/** The only style sheet that the pages' Content-Security-Policy allows. */
export const stylesHash = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`

const symbol = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true">
<path d="M2 9a15 15 0 0 1 20 0M5.2 12.6a10 10 0 0 1 13.6 0M8.4 16.1a5.2 5.2 0 0 1 7.2 0"/><path d="M12 19.6v.01" stroke-width="3"/></svg>`

interface PageOptions {
  language?: Language
  /** When the page is asked for again by itself. Null: never. */
  refresh_s?: number | null
}

/** `content` is HTML, in which typed text must be escaped. */
const page = (
  title: string,
  content: string,
  { language = 'en', refresh_s = null }: PageOptions = {},
) => `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${refresh_s === null ? '' : `\n<meta http-equiv="refresh" content="${refresh_s}">`}
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<main>
${symbol}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`

/** For guests who open the address of a portal from outside its network: they cannot be let online from there. */
export function joinPage(language: Language): string {
  const { away_title, outside } = textsOf[language]
  const steps = outside.steps.map(({ title, text }) => `<li><strong>${title}</strong> <span>${text}</span></li>`)
  return page(
    away_title,
    `<p>${outside.join}</p>\n<ol>\n${steps.join('\n')}\n</ol>\n<p class="help">${outside.join_help}</p>`,
    { language },
  )
}

function refusalTexts(status: number, language: Language): [title: string, text: string] {
  const { outside, refused_title } = textsOf[language]
  if (status === 404) return [outside.nothing_title, outside.nothing]
  if (status === 507) return [outside.no_sign_in_title, outside.no_sign_in]
  return status >= 500 ? [outside.broken_title, outside.broken] : [refused_title, outside.unreadable]
}

/** @param reference the request's id in the log, for internal errors */
export function refusalPage(language: Language, status: number, reference?: string): string {
  const { outside } = textsOf[language]
  const [title, text] = refusalTexts(status, language)
  const named = reference ? `\n<p>${outside.reference}: <bdi>${reference}</bdi></p>` : ''
  return page(title, `<p>${text}</p>${named}\n<p><a href="/">${outside.how}</a></p>`, { language })
}

/** For guests who are one too many at present: a page asks for itself again, a form that was sent does not. */
export function busyPage(language: Language, refresh_s: number | null) {
  const { upgrading_title, busy, refused_title, refused, refresh } = textsOf[language]
  const [title, text] = refresh_s === null ? [refused_title, refused.failed] : [upgrading_title, busy]
  return page(title, `<p>${text}</p>\n<p><a href="">${refresh}</a></p>`, { language, refresh_s })
}

const asText = (typed: string) => typed.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The receiver of a customer's reports, and what they have answered. */
export type ReceiverState = 'unconfirmed' | 'confirmed' | 'stopped'
interface Receiving {
  customer_name: string
  email: string
  state: ReceiverState
}

const stoppedPage = ({ customer_name, email }: Receiving) =>
  page(
    'No more reports',
    `<p>${asText(customer_name)} sends no reports to ${asText(email)}. Others still get theirs.</p>`,
  )

/** For those who follow the stop link of a mailed report. */
export const stopPage = (receiving: Receiving) =>
  receiving.state === 'stopped'
    ? stoppedPage(receiving)
    : page(
        'Stop these mails?',
        `<p>${asText(receiving.customer_name)} sends reports to ${asText(receiving.email)}. This stops all of them.</p>
<form method="post"><button>Send no more</button></form>`,
      )

/** For those who are asked whether they want reports. */
export const receiverPage = (receiving: Receiving, token: string) => {
  const { customer_name, email, state } = receiving
  if (state === 'stopped') return stoppedPage(receiving)
  if (state === 'confirmed')
    return page(
      'You get these reports',
      `<p>${asText(customer_name)} may send reports to ${asText(email)}. Each has a link that stops them.</p>`,
    )
  return page(
    'Do you want these reports?',
    `<p>${asText(customer_name)} would like to send reports about its guest Wi-Fi to ${asText(email)}.</p>
<form method="post" action="/receive-reports/${token}/yes"><button>Yes, send them</button></form>
<form method="post" action="/receive-reports/${token}/no"><button class="second">No, never</button></form>`,
  )
}

const trial_sentences = {
  no_portal: 'This property has no active portal yet. Choose one at the property, then open this page again.',
  silent: 'RADIUS did not answer the simulated gateway. The log of Foyer says why.',
  left: 'You have left the network of the trial.',
} as const

/** Of a trial's simulated gateway, where a real one would show a page of its own. */
export const trialPage = (property_name: string, state: keyof typeof trial_sentences, again?: string) =>
  page(
    'A trial',
    `<p>${asText(property_name)}</p>\n<p>${trial_sentences[state]}</p>${again ? `\n<p><a href="${again}">Join it again</a></p>` : ''}`,
  )
export const trialOverPage = page(
  'This trial is over',
  '<p>A trial lasts an hour. Begin another one in Foyer, at the property.</p>',
)

/** For guests of a network that nobody has registered. */
export function unregisteredPage(language: Language) {
  const { unregistered_title, unregistered } = textsOf[language]
  return page(unregistered_title, `<p>${unregistered}</p>`, { language })
}

/** Where a box sends guests who are online, without saying who they are. */
export function onlinePage(language: Language) {
  const { online_title, online } = textsOf[language]
  return page(online_title, `<p>${online}</p>`, { language })
}

/** What these pages may contain: neither scripts nor pictures. */
const own_styles_only = `default-src 'none'; style-src ${stylesHash}; img-src data:; base-uri 'none'; frame-ancestors 'none'`

/** For guests, while this node is started or upgraded. A form that was sent is not sent again by itself. */
export function upgradingGuestPage(language: Language, refreshes: boolean) {
  const { upgrading_title, upgrading } = textsOf[language]
  return {
    html: page(upgrading_title, `<p>${upgrading}</p>`, { language, refresh_s: refreshes ? usual_refresh_s : null }),
    content_security: own_styles_only,
  }
}

/** For people who open the admin app meanwhile. `percent` is null before an upgrade has begun. */
export function upgradingPage(percent: number | null) {
  const next = 'This page opens by itself when it is ready.'
  const html =
    percent === null
      ? page('Foyer is starting', `<p>${next}</p>`, { refresh_s: usual_refresh_s })
      : page(
          'Foyer is being upgraded',
          `<p>${percent} % of it is done. ${next}</p>\n<progress max="100" value="${percent}" aria-label="Upgrade"></progress>`,
          { refresh_s: usual_refresh_s },
        )
  return { html, content_security: own_styles_only }
}
