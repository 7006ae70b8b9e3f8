// app.tsx: the routes: one per entry of views/registry.ts, the page of one monitor, its report, and the page of one
// incident. The shell stays while views change.
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Route, Router, Switch } from 'wouter'
import { Loading } from './components/loading.tsx'
import { queryClient } from './data/query-client.ts'
import { askBeforeLeaving } from './shell/leaving.ts'
import { NoSuchPage } from './shell/no-such-page.tsx'
import { Shell } from './shell/shell.tsx'
import { views } from './views/registry.ts'

const Incident = lazy(() => import('./views/incident/index.tsx'))
const Monitor = lazy(() => import('./views/monitor/index.tsx'))
const Report = lazy(() => import('./views/report/index.tsx'))

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router aroundNav={askBeforeLeaving}>
        <Shell>
          <Suspense fallback={<Loading what="The page" />}>
            <Switch>
              {views.map(({ path, route = path, View }) => (
                <Route key={path} path={route} component={View} />
              ))}
              <Route path="/monitors/:id">{({ id }) => <Monitor key={id} id={id} />}</Route>
              <Route path="/monitors/:id/report">{({ id }) => <Report key={id} id={id} />}</Route>
              <Route path="/incidents/:id">{({ id }) => <Incident key={id} id={id} />}</Route>
              <Route component={NoSuchPage} />
            </Switch>
          </Suspense>
        </Shell>
      </Router>
    </QueryClientProvider>
  )
}
