// shell/view-places.ts: where the views are, in the order of the navigation.
export const viewPlaces = [
  { path: '/', name: 'Overview', keys: 'g o' },
  { path: '/monitors', name: 'Monitors', keys: 'g m' },
  { path: '/alerts', name: 'Alerts', keys: 'g a' },
  { path: '/system', name: 'System', keys: 'g s' },
  { path: '/settings', name: 'Settings', keys: 'g ,' },
] as const
