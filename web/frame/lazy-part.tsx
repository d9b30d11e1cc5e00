// Lazy part: a screen or a dialog whose code is fetched when it is first drawn, or ahead.
import { use, type ComponentType, type FunctionComponent } from 'react'
import { loadPart } from './chunk-reload.ts'

export type LazyPart<P> = FunctionComponent<P> & { preload: () => Promise<void> }

export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let Loaded: ComponentType<P> | undefined
  let loading: Promise<void> | undefined
  let failure: { error: unknown } | undefined
  const preload = () =>
    (loading ??= loadPart(load).then(
      (component) => {
        Loaded = component
        failure = undefined
      },
      (error: unknown) => {
        // Fetching ahead may try anew. Drawing does not, or it would try without end.
        loading = undefined
        failure = { error }
        throw error
      },
    ))
  function Part(props: P) {
    if (!Loaded && failure) throw failure.error
    if (!Loaded) use(preload())
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(Part, { preload })
}
