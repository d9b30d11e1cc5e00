// Lazy part: a screen or a dialog whose code is fetched when it is first drawn, or ahead.
import { use, type ComponentType, type FunctionComponent } from 'react'
import { loadPart } from './chunk-reload.ts'

export type LazyPart<P> = FunctionComponent<P> & { preload: () => Promise<void> }

export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let Loaded: ComponentType<P> | undefined
  let ahead: Promise<void> | undefined
  let drawing: Promise<void> | undefined
  const keep = (component: ComponentType<P>) => {
    Loaded = component
  }
  // Only prefetched: a failure is left to rendering, which may reload the page.
  const preload = () =>
    (ahead ??= load().then(keep, () => {
      ahead = undefined
    }))
  function Part(props: P) {
    // A failure is kept, otherwise rendering would retry forever.
    if (!Loaded) use((drawing ??= loadPart(load).then(keep)))
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(Part, { preload })
}
