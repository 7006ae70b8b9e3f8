// platform/late-modules.ts: modules of the runtime that a fleet without TLS never uses, asked for when they are used.
// Loaded at the start, they would cost each thread two megabytes of heap and five of the runtime's own pages.

export const tls = () => process.getBuiltinModule('node:tls')
export const http2 = () => process.getBuiltinModule('node:http2')
export const https = () => process.getBuiltinModule('node:https')
