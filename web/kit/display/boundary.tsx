// Boundary: keeps what breaks while it is drawn from taking the rest of the page along. Another `key` draws it anew.
import { Component, type ReactNode } from 'react'

export interface BoundaryProps {
  children: ReactNode
  /** Drawn instead of what broke; `retry` draws it anew. */
  instead: (error: unknown, retry: () => void) => ReactNode
}

interface State {
  broken: { error: unknown } | undefined
}

export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { broken: undefined }
  static getDerivedStateFromError = (error: unknown): State => ({ broken: { error } })
  override render() {
    const { broken } = this.state
    return broken ? this.props.instead(broken.error, () => this.setState({ broken: undefined })) : this.props.children
  }
}
