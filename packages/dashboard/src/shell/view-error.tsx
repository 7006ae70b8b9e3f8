// shell/view-error.tsx: keeps a view that failed to load or to draw from taking the page with it. Moving to another
// view clears it.
import { Component, type ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { PageTitle } from '../components/page-title.tsx'

interface ViewErrorProps {
  readonly place: string
  readonly children: ReactNode
}

export class ViewError extends Component<ViewErrorProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate({ place }: ViewErrorProps) {
    if (place !== this.props.place && this.state.hasFailed) this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <>
        <PageTitle note="Its code could not be loaded, as after an update of the service, or it failed.">
          This view cannot be shown
        </PageTitle>
        <p>
          <Button onClick={() => location.reload()}>Load the page again</Button>
        </p>
      </>
    )
  }
}
