// Layout with image: a picture fills one half of a wide screen; on a phone it is a banner that the form overlaps.
import type { Layout, Parts } from './layout.ts'

const Page = ({ brand, languages, welcome, card, picture, footer }: Parts) => (
  <div className="halves">
    <div className="scene">{picture}</div>
    <div className="page">
      <header className="bar">
        {brand}
        {languages}
      </header>
      <main>
        <div className="welcome">{welcome}</div>
        <div className="card">{card}</div>
      </main>
      {footer}
    </div>
  </div>
)

export const withImage: Layout = {
  Page,
  styles: `
.halves { min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column }
.scene {
  position: relative; flex: none; height: min(30vh, 240px); overflow: hidden;
  background: var(--button); color: var(--on-button);
}
.scene img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover }
.scene .sign { position: absolute; inset-inline-end: -8%; bottom: -40%; width: auto; height: 150%; opacity: .18; stroke-width: .8 }
.halves .page { position: relative; flex: 1; min-height: 0; margin-top: -28px; border-radius: 28px 28px 0 0; background: var(--page) }
.welcome { padding-bottom: 20px }
@media (min-width: 800px) {
  .halves { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr) }
  .scene { position: sticky; top: 0; height: 100vh }
  .scene .sign { inset-inline-end: -12%; bottom: -8%; height: 70% }
  .halves .page { margin: 0 auto; border-radius: 0; max-width: 580px; padding-left: 48px; padding-right: 48px }
  main { flex: none; margin: auto 0 }
}`,
}
