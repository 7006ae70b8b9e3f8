// platform/late-modules.ts: modules of the runtime that cost much and that many services never need. An ES import reads
// every export of a built-in module, and in node:http some of them load a whole HTTP client (14 MB per process); those that
// speak TLS take two megabytes of heap and five of the runtime's own pages in each thread. So they are asked for as objects,
// and TLS only where it is used.

export const http = process.getBuiltinModule('node:http')
export const https = () => process.getBuiltinModule('node:https')
export const http2 = () => process.getBuiltinModule('node:http2')
export const tls = () => process.getBuiltinModule('node:tls')
