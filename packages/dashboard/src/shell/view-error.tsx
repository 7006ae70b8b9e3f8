// shell/view-error.tsx: what the page shows instead of a view whose code could not be loaded or that failed as a whole.
import { Button } from '../components/button.tsx'
import { PageTitle } from '../components/page-title.tsx'

export function ViewError() {
  return (
    <>
      <PageTitle note="Its code could not be loaded, as after an update of the service, or it failed.">
        This view cannot be shown
      </PageTitle>
      <p>
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </p>
    </>
  )
}
