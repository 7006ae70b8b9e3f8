// components/error-boundary.tsx: contains an exception thrown while rendering its children and shows the fallback
// instead. React logs the exception with its component stack. A new `resetKey` tries the children again.
import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  readonly fallback: ReactNode
  readonly resetKey?: string
  readonly children: ReactNode
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps) {
    if (resetKey !== this.props.resetKey && this.state.hasFailed) this.setState({ hasFailed: false })
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
