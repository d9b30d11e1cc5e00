// Foyer for pages of a custom portal, version 1: <script src="foyer/v1.js"></script>
//
//   Foyer.context             company, property, network, headline, language, error, notice, preview, terms, terms_version,
//                             privacy_url, marketing_text, footer, and methods: [{ id, name, fields: [{ name, label }] }]
//   Foyer.signIn(2, { voucher_code: 'ABCD-EFGH-JKMN', terms: 3 })
//                             sends the form as the page's own would; `terms` is the wording that was agreed to,
//                             `marketing: 1` that the guest wants to be told
//
// Whether it was right, the next page says: it comes with Foyer.context.error.
;(() => {
  'use strict'
  const block = document.getElementById('foyer-context')
  if (!block) throw new Error('Foyer: this page was not served by Foyer')
  const { action, hidden, ...context } = JSON.parse(block.textContent)

  function signIn(method, fields = {}) {
    if (context.preview) throw new Error(context.notice)
    const form = document.createElement('form')
    form.method = 'post'
    form.action = action
    for (const [name, value] of Object.entries({ ...hidden, ...fields, method }))
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value: String(value) }))
    form.hidden = true
    document.body.append(form)
    form.submit()
  }

  Object.defineProperty(window, 'Foyer', {
    value: Object.freeze({ version: 1, context: Object.freeze(context), signIn }),
  })
})()
