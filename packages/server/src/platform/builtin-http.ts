// platform/builtin-http.ts: Node's HTTP modules without what they cost as ES modules. An import reads every export of a
// built-in module, and in node:http some of them load a whole HTTP client: 15 MB where nothing else needs it. node:https and
// node:http2 bring TLS along, so they are loaded where they are first needed.

export const http = process.getBuiltinModule('node:http')

export function https(): typeof import('node:https') {
  return process.getBuiltinModule('node:https')
}

export function http2(): typeof import('node:http2') {
  return process.getBuiltinModule('node:http2')
}
