// Contact sheet: one page with thumbnails of all pictures, each a link to its full size.

export interface Picture {
  /** The state of the screen, the same at every size. */
  name: string
  /** Relative to the folder of the sheet. */
  file: string
  /** Problems when it was taken: scrolling sideways, or errors. */
  wrong: string[]
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

export function contactSheet(pictures: readonly Picture[]): string {
  const states = Object.entries(Object.groupBy(pictures, ({ name }) => name))
  const body = states.map(([name, taken = []]) => {
    const links = taken.map(
      ({ file, wrong }) =>
        `<a href="${escape(file)}" title="${escape([file, ...wrong].join(', '))}"${wrong.length > 0 ? ' class="wrong"' : ''}>` +
        `<img src="${escape(file)}" loading="lazy" alt="${escape(file)}"></a>`,
    )
    return `<section><h2>${escape(name)}</h2>${links.join('')}</section>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title>
<style>
  body { font: 14px system-ui, sans-serif; margin: 24px }
  section { border-top: 1px solid #ccc; padding-bottom: 16px }
  img { height: 220px; max-width: 340px; object-fit: cover; object-position: top; border: 1px solid #ccc; margin: 0 8px 8px 0 }
  .wrong img { outline: 3px solid #c00 }
</style>
<h1>${pictures.length} pictures</h1>
${body.join('\n')}
</html>
`
}
