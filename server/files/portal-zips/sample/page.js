// A page works without a script, and some phones run none before they are online. This one only makes typing easier: a
// voucher's code gets its hyphens. What Foyer.context holds stands in read-me.txt.
const code = document.querySelector('input[name=voucher_code]')
code?.addEventListener('input', () => {
  const symbols = code.value
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 12)
  code.value = symbols.match(/.{1,4}/g)?.join('-') ?? ''
})

document.body.classList.toggle('preview', Foyer.context.preview)
