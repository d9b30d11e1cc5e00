// Boundary: an error boundary: if rendering fails inside, the rest of the page stays. Another `key` renders it again.
import { Component, type ReactNode } from 'react'

export interface BoundaryProps {
  children: ReactNode
  /** Rendered in place of what failed; `retry` renders that again. */
  instead: (error: unknown, retry: () => void) => ReactNode
}

interface State {
  failure: { error: unknown } | undefined
}

export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { failure: undefined }
  static getDerivedStateFromError = (error: unknown): State => ({ failure: { error } })
  override render() {
    const { failure } = this.state
    return failure
      ? this.props.instead(failure.error, () => this.setState({ failure: undefined }))
      : this.props.children
  }
}
