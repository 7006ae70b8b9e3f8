// platform/late-modules.ts: built-in modules that are expensive to load and that many services never need. An
// ES import reads every export of a built-in module, and in node:http some of them load a whole HTTP client
// (14 MB per process); those that speak TLS take two megabytes of heap and five of the runtime's own pages in
// each thread. So they are loaded as objects, and TLS only when it is used.

export const http = process.getBuiltinModule('node:http')
export const https = () => process.getBuiltinModule('node:https')
export const http2 = () => process.getBuiltinModule('node:http2')
export const tls = () => process.getBuiltinModule('node:tls')
