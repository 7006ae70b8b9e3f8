// app.tsx: the routes. Each view is a chunk of its own; the shell stays while they come and go.
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { Loading } from './components/loading.tsx'
import { queryClient } from './data/query-client.ts'
import { NoSuchPage } from './shell/no-such-page.tsx'
import { Shell } from './shell/shell.tsx'

const Overview = lazy(() => import('./views/overview/index.tsx'))
const Monitors = lazy(() => import('./views/monitors/index.tsx'))
const Monitor = lazy(() => import('./views/monitor/index.tsx'))
const Alerts = lazy(() => import('./views/alerts/index.tsx'))
const System = lazy(() => import('./views/system/index.tsx'))
const Settings = lazy(() => import('./views/settings/index.tsx'))

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shell>
        <Suspense fallback={<Loading what="The page" />}>
          <Switch>
            <Route path="/" component={Overview} />
            <Route path="/monitors" component={Monitors} />
            <Route path="/monitors/:id">{({ id }) => <Monitor key={id} id={id} />}</Route>
            <Route path="/alerts" component={Alerts} />
            <Route path="/system" component={System} />
            <Route path="/settings" component={Settings} />
            <Route component={NoSuchPage} />
          </Switch>
        </Suspense>
      </Shell>
    </QueryClientProvider>
  )
}
