// locations/probe-path.ts: where a probe connects.

export const probePath = '/api/v2/probes/connect'
