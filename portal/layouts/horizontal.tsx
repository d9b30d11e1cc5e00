// Horizontal layout: the welcome next to the form; on a phone above it.
import type { Layout, Parts } from './layout.ts'

const Page = ({ brand, languages, welcome, card, footer }: Parts) => (
  <div className="page">
    <header className="bar">
      {brand}
      {languages}
    </header>
    <main className="split">
      <div className="welcome">{welcome}</div>
      <div className="card">{card}</div>
    </main>
    {footer}
  </div>
)

export const horizontal: Layout = {
  Page,
  styles: `
.page { max-width: 1080px }
.split { display: grid; gap: 24px; align-items: center }
@media (min-width: 800px) {
  .split { grid-template-columns: minmax(0, 1fr) minmax(0, 420px); gap: clamp(40px, 7vw, 96px); padding: 24px 0 48px }
  .welcome { padding-bottom: 32px }
  h1 { font-size: clamp(36px, 4.6vw, 56px); line-height: 1.08 }
}`,
}
