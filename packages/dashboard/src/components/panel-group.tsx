// components/panel-group.tsx: panels side by side or below each other. Each child fails alone: an exception
// in one leaves the others on the page.
import { Children, type ReactNode } from 'react'
import { BrokenPart } from './broken-part.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

export interface PanelGroupProps {
  /** Without it, the panels belong directly to the surrounding layout. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function PanelGroup({ className, children }: PanelGroupProps) {
  const panels = Children.map(children, (panel) => (
    <ErrorBoundary fallback={<BrokenPart />}>{panel}</ErrorBoundary>
  ))
  return className === undefined ? panels : <div className={className}>{panels}</div>
}
