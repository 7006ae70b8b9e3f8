// v1/examples/story.ts: the time and the identities that all examples of v1 share.
export const generated = '2026-03-01T09:30:05.000Z'
export const openedAt = '2026-03-01T09:29:31.042Z'
export const incidentId = '019caa3c-6b52-7c1e-9d0a-5f2f3a1b7c44'
export const actionId = '019caa3c-6b52-7c1e-9d0a-60b1c2d3e4f5'
