// index.ts: the wire format of Pulseward: the schemas of all answers, for servers, clients and docs. Light
// enough for browsers: no compiled validators, no examples, no OpenAPI document.
export {
  type Answer,
  type AnswerOf,
  type Api,
  type BodyOf,
  type CatalogueEntry,
  type Edition,
  editions,
  type HeadersOf,
  type Operation,
  type PathParametersOf,
  type QueryParametersOf,
  type RequestBody,
  schemaIn,
} from './operation.ts'
export * from './session/index.ts'
export * from './v1/index.ts'
export * as v2 from './v2/index.ts'
