// views/registry.ts: the views in the order of the navigation, each a chunk of its own. The navigation, the routes, the
// keys and the command palette are made from this list.
import { lazy } from 'react'

export const views = [
  { path: '/', name: 'Overview', keys: 'g o', View: lazy(() => import('./overview/index.tsx')) },
  { path: '/monitors', name: 'Monitors', keys: 'g m', View: lazy(() => import('./monitors/index.tsx')) },
  { path: '/alerts', name: 'Alerts', keys: 'g a', View: lazy(() => import('./alerts/index.tsx')) },
  { path: '/system', name: 'System', keys: 'g s', View: lazy(() => import('./system/index.tsx')) },
  { path: '/settings', name: 'Settings', keys: 'g ,', View: lazy(() => import('./settings/index.tsx')) },
] as const
