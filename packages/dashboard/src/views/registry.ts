// views/registry.ts: the views in the order of the navigation, each a separate chunk. The navigation, the
// routes, the keys and the command palette are made from this list.
import type { v2 } from '@pulseward/contract'
import { type ComponentType, lazy } from 'react'

export interface ViewEntry {
  readonly path: string
  /** The pattern of its addresses, if it has others than its path. */
  readonly route?: string
  readonly name: string
  readonly keys: string
  readonly View: ComponentType
  /** Offered only to users who may call this operation. */
  readonly needs?: v2.OperationName
}

export const views: readonly ViewEntry[] = [
  { path: '/', name: 'Overview', keys: 'g o', View: lazy(() => import('./overview/index.tsx')) },
  { path: '/monitors', name: 'Monitors', keys: 'g m', View: lazy(() => import('./monitors/index.tsx')) },
  { path: '/alerts', name: 'Alerts', keys: 'g a', View: lazy(() => import('./alerts/index.tsx')) },
  {
    path: '/on-call',
    name: 'On call',
    keys: 'g c',
    View: lazy(() => import('./on-call/index.tsx')),
    needs: 'ListSchedules',
  },
  {
    path: '/status-pages',
    name: 'Status pages',
    keys: 'g p',
    View: lazy(() => import('./status-pages/index.tsx')),
    needs: 'ListStatusPages',
  },
  { path: '/system', name: 'System', keys: 'g s', View: lazy(() => import('./system/index.tsx')) },
  {
    path: '/manage',
    route: '/manage/*?',
    name: 'Manage',
    keys: 'g e',
    View: lazy(() => import('./manage/index.tsx')),
    needs: 'CreateMonitor',
  },
  { path: '/settings', name: 'Settings', keys: 'g ,', View: lazy(() => import('./settings/index.tsx')) },
]
