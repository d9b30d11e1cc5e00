// Foyer for pages of a custom portal, version 1: <script src="foyer/v1.js"></script>
//
//   Foyer.context             company, property, network, headline, language, error, notice, preview, step, time_left,
//                             data_left, redirect_url, query, terms, terms_version, privacy_url, marketing_text, footer,
//                             and methods: [{ id, name, fields: [{ name, label }] }]
//   Foyer.signIn(2, { voucher_code: 'ABCD-EFGH-JKMN', terms: 3 })
//                             sends the form as the page's own would; `terms` is the wording that was agreed to,
//                             `marketing: 1` that the guest wants to be told
//   Foyer.signOut()           at the steps `online` and `status`
//
// Whether it was right, the next page says: it comes with Foyer.context.error, and Foyer.context.step says which one it is.
;(() => {
  'use strict'
  const block = document.getElementById('foyer-context')
  if (!block) throw new Error('Foyer: this page was not served by Foyer')
  const { action, hidden, ...context } = JSON.parse(block.textContent)

  function send(fields) {
    if (context.preview) throw new Error(context.notice || 'Foyer: this page is only looked at')
    const form = document.createElement('form')
    form.method = 'post'
    form.action = action
    for (const [name, value] of Object.entries(fields))
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value: String(value) }))
    form.hidden = true
    document.body.append(form)
    form.submit()
  }
  const signIn = (method, fields = {}) => send({ ...hidden, ...fields, method })
  const signOut = () => send({ ...hidden, sign_out: 1 })

  // Whoever has chosen a way in goes that way, whatever they have typed for another one before.
  document.addEventListener('change', ({ target }) => {
    if (target.name === 'method') target.form?.querySelector('input[name=opened_with]')?.remove()
  })

  Object.defineProperty(window, 'Foyer', {
    value: Object.freeze({ version: 1, context: Object.freeze(context), signIn, signOut }),
  })
})()
