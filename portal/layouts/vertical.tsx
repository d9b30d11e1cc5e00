// Vertical layout: logo, headline and form in one centred column.
import type { Layout, Parts } from './layout.ts'

const Page = ({ brand, languages, welcome, card, footer }: Parts) => (
  <div className="page">
    <header className="bar">{languages}</header>
    <main className="column">
      {brand}
      <div className="welcome">{welcome}</div>
      <div className="card">{card}</div>
    </main>
    {footer}
  </div>
)

export const vertical: Layout = {
  Page,
  styles: `
.page { max-width: 480px }
.bar { justify-content: flex-end; padding-bottom: 8px }
.column { display: grid; gap: 20px; justify-items: center }
.column .brand { max-width: 260px }
.column .brand img { max-height: 96px }
.column .welcome { text-align: center }
.column .card { width: 100% }`,
}
